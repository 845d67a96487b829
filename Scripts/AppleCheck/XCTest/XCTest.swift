// Source: https://developer.apple.com/documentation/xctest/xctestcase
open class XCTestCase: NSObject {
    public override init()
}

// Source: https://developer.apple.com/documentation/xctest/test-assertions
public func XCTUnwrap<T>(
    _ expression: @autoclosure () throws -> T?, _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath, line: UInt = #line
) throws -> T
public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line)
public func XCTAssertEqual<T: Equatable>(
    _ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T,
    _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line)

// An app may use these only with a reason in the privacy manifest of the app or package. This package has none. The arguments do not
// matter here.
// Source: https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api

@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func stat(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func fstat(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func lstat(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func fstatat(_ argument1: Any, _ argument2: Any, _ argument3: Any, _ argument4: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func getattrlist(_ argument1: Any, _ argument2: Any, _ argument3: Any, _ argument4: Any, _ argument5: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func fgetattrlist(_ argument1: Any, _ argument2: Any, _ argument3: Any, _ argument4: Any, _ argument5: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func getattrlistat(_ argument1: Any, _ argument2: Any, _ argument3: Any, _ argument4: Any, _ argument5: Any, _ argument6: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func getattrlistbulk(_ argument1: Any, _ argument2: Any, _ argument3: Any, _ argument4: Any, _ argument5: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func statfs(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func fstatfs(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func statvfs(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func fstatvfs(_ argument1: Any, _ argument2: Any) -> Int32
@available(*, unavailable, message: "needs a reason in a privacy manifest, and the package has none")
public func mach_absolute_time() -> UInt64

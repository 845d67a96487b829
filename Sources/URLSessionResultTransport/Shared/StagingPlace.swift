import Foundation

/// A place for a file on the volume of its destination. One rename moves the file from there to the destination.
///
/// `init(for:)` makes the place that suits the platform.
package struct StagingPlace {
    package let file: URL

    /// The file, or the folder that was created for it.
    let itemToRemove: URL

    /// The place of a file that is beside its destination already.
    package init(at file: URL) {
        self.init(file: file, itemToRemove: file)
    }

    private init(file: URL, itemToRemove: URL) {
        self.file = file
        self.itemToRemove = itemToRemove
    }

    /// A hidden name beside the destination.
    static func beside(_ destination: URL) -> StagingPlace {
        let name = ".\(UUID().uuidString).download"
        let file = destination.deletingLastPathComponent().appendingPathComponent(name)
        return StagingPlace(at: file)
    }

    /// A name in a new folder that the system chooses.
    static func inReplacementFolder(for destination: URL) throws -> StagingPlace {
        let folder = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: destination, create: true)
        let file = folder.appendingPathComponent(destination.lastPathComponent)
        return StagingPlace(file: file, itemToRemove: folder)
    }

    /// Removes what was created for the file, and the file if it is still there.
    package func remove() {
        try? FileManager.default.removeItem(at: itemToRemove)
    }
}

import Foundation
import URLSessionResult

struct Album: Decodable {
    let title: String
}

let url = URL(fileURLWithPath: "/albums.json")
let result = await URLSession.shared.dataResult(from: url, decoder: .json([Album].self))
print(result)

import Foundation
import URLSessionResultClient

struct Album: Decodable {
    let title: String
}

let client = APIClient(baseURL: URL(fileURLWithPath: "/"))
let result = await client.result(for: Endpoint(.get, "albums.json", as: [Album].self))
print(result)

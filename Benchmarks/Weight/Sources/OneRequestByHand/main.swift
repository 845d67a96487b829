import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Album: Decodable {
    let title: String
}

let url = URL(fileURLWithPath: "/albums.json")
let (data, response) = try await URLSession.shared.data(from: url)
let albums = try JSONDecoder().decode([Album].self, from: data)
print(albums, response)

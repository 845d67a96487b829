/// The orders in which actors take their steps. An order names an actor for each step.
enum Schedule {
    /// Calls a function with each order of actors that have so many steps.
    static func forEach(of counts: [Int], _ body: ([Int]) -> Void) {
        var rest = counts
        var order: [Int] = []
        func extend() {
            guard rest.contains(where: { $0 > 0 }) else { return body(order) }
            for actor in rest.indices where rest[actor] > 0 {
                rest[actor] -= 1
                order.append(actor)
                extend()
                order.removeLast()
                rest[actor] += 1
            }
        }
        extend()
    }

    /// Draws one of the orders. Each of them is as likely as any other.
    static func draw(of counts: [Int], using generator: inout some RandomNumberGenerator) -> [Int] {
        counts.indices.flatMap { Array(repeating: $0, count: counts[$0]) }.shuffled(using: &generator)
    }
}

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
}

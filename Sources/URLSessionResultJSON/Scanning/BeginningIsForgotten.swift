/// Beneath the error of a document: what is in memory is only the rest of it.
package struct BeginningIsForgotten: Error {}

/// The version of the program, as in its release tags.
package let programVersion = "0.1.0"

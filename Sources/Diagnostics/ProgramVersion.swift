/// The version of the program, as tags name it.
package let programVersion = "0.1.0"

// Package config reads .wm.yaml, the file in which a project says how its
// definitions are checked.
//
// [Find] looks for the file in the folder of what is checked and in the folders
// above it, up to the root of the checkout. [Read] is strict: a field that does
// not exist, or a value that means nothing, is an error with a place, since a
// setting that is silently without effect would be worse than none.
//
// The file may come from a stranger's pull request. It can make wm say less, and
// nothing else: no path in it leads out of its folder, also not through a
// symbolic link, and what keeps a file from being read cannot be switched off.
package config

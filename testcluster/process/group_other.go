//go:build unix && !linux

package process

import "syscall"

// ownGroup makes a program the leader of a process group. Without Linux's
// parent-death signal the program outlives a parent that is killed with
// SIGKILL, and only then.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

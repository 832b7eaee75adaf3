package process

import "syscall"

// ownGroup makes a program the leader of a process group, killed by the kernel
// when the thread that started it ends.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

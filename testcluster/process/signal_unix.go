//go:build unix

package process

import (
	"errors"
	"syscall"
)

func terminate(pid int) error { return send(pid, syscall.SIGTERM) }

func kill(pid int) error { return send(pid, syscall.SIGKILL) }

// send reaches the whole process group; one that is gone already is fine.
func send(pid int, sent syscall.Signal) error {
	if err := syscall.Kill(-pid, sent); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// Package git reads files of a commit of the repository in the current folder,
// through the git program. Nothing is checked out and nothing of the repository
// is executed.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
)

// Runner runs git with arguments and an input, and returns what it wrote to
// standard output. The error holds what it wrote to standard error.
type Runner func(ctx context.Context, stdin []byte, arguments ...string) ([]byte, error)

// System runs the git program that is installed, in the current folder.
func System() Runner { return In("") }

// In runs the git program that is installed in a folder; "" is the current one.
func In(folder string) Runner {
	return func(ctx context.Context, stdin []byte, arguments ...string) ([]byte, error) {
		command := exec.CommandContext(ctx, "git", arguments...)
		command.Dir = folder
		command.Stdin = bytes.NewReader(stdin)
		// Messages are shown as they are, so they should be in one language, and
		// reading must not refresh the index.
		command.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
		var out, complaint bytes.Buffer
		command.Stdout, command.Stderr = &out, &complaint
		if err := command.Run(); err != nil {
			if errors.Is(err, exec.ErrNotFound) {
				return nil, errors.New("git is needed for this and is not installed")
			}
			if said := firstLine(complaint.String()); said != "" {
				return nil, errors.New(said)
			}
			return nil, err
		}
		return out.Bytes(), nil
	}
}

// firstLine is what git says is wrong; hints and usage follow below.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for _, prefix := range []string{"fatal: ", "error: "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return line
}

// Commit is the full id of the commit that a branch, a tag or any other
// expression of git stands for.
func Commit(ctx context.Context, run Runner, ref string) (string, error) {
	if ref == "" || strings.HasPrefix(ref, "-") {
		return "", fmt.Errorf("%q is not the name of a commit", ref)
	}
	out, err := run(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		// With --quiet git says nothing about a name that it does not know, but
		// still says that there is no repository.
		if _, outside := run(ctx, nil, "rev-parse", "--git-dir"); outside != nil {
			return "", fmt.Errorf("find commit %s: %w", ref, outside)
		}
		return "", fmt.Errorf("there is no commit %s here; in a shallow clone, fetch it first", ref)
	}
	return strings.TrimSpace(string(out)), nil
}

// blob is a file of a commit.
type blob struct{ id, name string }

// Tree reads those files of a commit that lie below the given paths and are
// wanted. Names and paths are relative to the current folder and may not lead
// out of it. A path that the commit does not have adds nothing. Symbolic links
// and submodules are left out: what they lead to is not part of the commit.
func Tree(ctx context.Context, run Runner, commit string, paths []string, wanted func(name string) bool) (fs.FS, error) {
	arguments := []string{"--literal-pathspecs", "ls-tree", "-r", "-z", commit, "--"}
	for _, name := range paths {
		clean := path.Clean(name)
		if !fs.ValidPath(clean) {
			return nil, fmt.Errorf("%s lies outside the current folder, so git cannot say how it was", name)
		}
		if clean == "." {
			// No path at all stands for the whole current folder.
			arguments = arguments[:6]
			break
		}
		arguments = append(arguments, clean)
	}
	listing, err := run(ctx, nil, arguments...)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	blobs, err := blobs(listing, wanted)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	var ids strings.Builder
	for _, b := range blobs {
		ids.WriteString(b.id + "\n")
	}
	batch, err := run(ctx, []byte(ids.String()), "cat-file", "--batch")
	if err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", commit, err)
	}
	tree := newTree()
	for _, b := range blobs {
		var content []byte
		if content, batch, err = next(batch); err != nil {
			return nil, fmt.Errorf("read %s of %s: %w", b.name, commit, err)
		}
		tree.add(b.name, content)
	}
	return tree, nil
}

// blobs reads what git ls-tree -z writes: "mode type id\tname\0".
func blobs(listing []byte, wanted func(string) bool) ([]blob, error) {
	var found []blob
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(listing), "\x00"), "\x00") {
		if entry == "" {
			continue
		}
		about, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git answers %q", entry)
		}
		const link = "120000"
		if fields[1] == "blob" && fields[0] != link && wanted(name) {
			found = append(found, blob{id: fields[2], name: name})
		}
	}
	return found, nil
}

// next cuts one object off what git cat-file --batch writes: "id type size\n",
// the content, "\n".
func next(batch []byte) (content, rest []byte, err error) {
	head, rest, ok := bytes.Cut(batch, []byte("\n"))
	fields := strings.Fields(string(head))
	if !ok || len(fields) != 3 {
		return nil, nil, fmt.Errorf("git answers %q", head)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size >= len(rest) {
		return nil, nil, fmt.Errorf("git answers %q", head)
	}
	return rest[:size], rest[size+1:], nil
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/workloadmap/wm/lint"
)

// Schemas knows, before what base knows, the kinds of the CRDs that the file
// names. Nothing outside of its folder is read.
func (c *Config) Schemas(files fs.FS, base lint.Schemas) (lint.Schemas, error) {
	if c == nil || len(c.CRDs) == 0 {
		return base, nil
	}
	schemas, err := lint.WithCRDs(&confined{files: files, config: c, links: map[string]map[string]bool{}}, c.CRDs, nil, base)
	if err != nil {
		return nil, fmt.Errorf("crds of %s: %w", shown(c.working, path.Join(c.folder, Name)), err)
	}
	return schemas, nil
}

// confined reads what lies below a folder, and follows no symbolic link there:
// one could lead out of it.
type confined struct {
	files  fs.FS
	config *Config
	// links holds, for each folder, the names in it that are links.
	links map[string]map[string]bool
}

func (c *confined) Open(name string) (fs.File, error) {
	if err := c.check("open", name); err != nil {
		return nil, err
	}
	return c.files.Open(name)
}

func (c *confined) Stat(name string) (fs.FileInfo, error) {
	if err := c.check("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(c.files, name)
}

func (c *confined) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := c.check("read", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(c.files, name)
}

func (c *confined) check(operation, name string) error {
	outside := func(reason string) error {
		return &fs.PathError{Op: operation, Path: name, Err: errors.New(reason)}
	}
	if absolute(c.config.working, name) == c.config.folder {
		return nil
	}
	below, ok := c.config.below(name)
	if !ok {
		return outside("it is not below the folder of the configuration")
	}
	at := c.config.folder
	for part := range strings.SplitSeq(below, "/") {
		linked, err := c.linksIn(at)
		if err != nil {
			return err
		}
		if linked[part] {
			return outside("it is a symbolic link, or lies behind one, which a configuration may not follow")
		}
		at = path.Join(at, part)
	}
	return nil
}

func (c *confined) linksIn(folder string) (map[string]bool, error) {
	if known, ok := c.links[folder]; ok {
		return known, nil
	}
	entries, err := fs.ReadDir(c.files, folder)
	if err != nil {
		return nil, err
	}
	links := map[string]bool{}
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink != 0 {
			links[entry.Name()] = true
		}
	}
	c.links[folder] = links
	return links, nil
}

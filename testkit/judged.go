package testkit

import (
	"errors"
	"io/fs"
	"path"
)

// Judged names the files of a case's folder that say what is expected: they are
// a person's, and no tool rewrites them. A file that cannot be read counts, since
// what it says is not known; a folder without case.yaml has none.
func Judged(files fs.FS, dir string) []string {
	var judged []string
	documents, err := readDocuments(files, path.Join(dir, caseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []string{caseFile}
	}
	for _, document := range documents {
		held, _ := document.Value().(map[string]any)
		description, _ := held["description"].(string)
		if states(held) || description != "" {
			judged = append(judged, caseFile)
		}
		timeline, _ := held["timeline"].(string)
		if timeline == "" {
			continue
		}
		frames, err := readDocuments(files, path.Join(dir, timeline))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			judged = append(judged, timeline)
		}
		for _, document := range frames {
			held, _ := document.Value().(map[string]any)
			list, _ := held["frames"].([]any)
			for _, item := range list {
				if frame, _ := item.(map[string]any); states(frame) {
					judged = append(judged, timeline)
					break
				}
			}
		}
	}
	return judged
}

// states reports whether expect of a case or frame says anything.
func states(held map[string]any) bool {
	expected, isMapping := held["expect"].(map[string]any)
	return held["expect"] != nil && (!isMapping || len(expected) > 0)
}

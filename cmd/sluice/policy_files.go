package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// policyFiles are the policy files that arguments name: a folder stands for the
// files in it that end with .yaml or .yml, in the order of their names.
func policyFiles(args []string) ([]string, error) {
	files := make([]string, 0, len(args))
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			files = append(files, arg) // who reads it says what is wrong with it
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, fmt.Errorf("the folder %s cannot be read: %w", oneLine(arg, 200), err)
		}
		before := len(files)
		for _, e := range entries {
			if slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())) && !e.IsDir() {
				files = append(files, filepath.Join(arg, e.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("the folder %s has no policy files: their names end with .yaml or .yml", oneLine(arg, 200))
		}
	}
	return files, nil
}

//go:build !unix

package pgtest

import "errors"

func serve() (*server, error) {
	return nil, errors.New("a server is started on Unix only")
}

package database

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

// ErrMoved is returned for writes where the file of the database is no longer the one that was opened: it was moved, removed or
// replaced, and what is written would be lost.
var ErrMoved = errors.New("the file of the database was moved, removed or replaced")

// Primary result codes of SQLite, https://sqlite.org/rescode.html: the file or the machine is at fault, not the statement.
var liteOutages = []int{
	3,  // PERM
	5,  // BUSY: another process kept the lock for longer than busy_timeout
	6,  // LOCKED
	7,  // NOMEM
	8,  // READONLY
	10, // IOERR
	11, // CORRUPT
	13, // FULL
	14, // CANTOPEN
	15, // PROTOCOL
	26, // NOTADB
}

// Of them, those that tell of damage.
var liteDamage = []int{11, 26}

// Classes and codes of PostgreSQL, appendix A of its manual: it cannot be reached or cannot work just now.
var (
	pgOutages = []string{
		"08", // connection exception
		"53", // insufficient resources, such as a full disk
		"58", // system error, such as one of the disk
		"XX", // internal error, such as damaged pages
	}
	pgOutageCodes = []string{
		"25006", // read-only: a standby
		"57P01", // it is being shut down
		"57P02", // it crashed
		"57P03", // it is starting
		"57P05", // the connection idled for too long
	}
)

// osOutages are errors of the operating system that say the same of files and sockets.
var osOutages = []error{
	syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, os.ErrPermission,
	driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed, io.ErrUnexpectedEOF, ErrMoved,
}

// IsOutage reports whether an error means that the database or the blobs cannot do their work now, rather than that they were asked
// for something wrong: they do not answer, the disk is full, a file cannot be read.
func IsOutage(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return slices.Contains(pgOutageCodes, pg.Code) || (len(pg.Code) > 2 && slices.Contains(pgOutages, pg.Code[:2]))
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return slices.Contains(liteOutages, lite.Code()&0xff)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return slices.ContainsFunc(osOutages, func(known error) bool { return errors.Is(err, known) })
}

// IsDamaged reports whether an error tells of damaged pages of an SQLite database.
func IsDamaged(err error) bool {
	lite, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(liteDamage, lite.Code()&0xff)
}

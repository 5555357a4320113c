// Package schema holds the migrations, written once for both engines, and moves a database from one version to the next.
package schema

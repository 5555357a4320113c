package store

// beforeUploads undoes the migration of uploads in parts.
var beforeUploads = []string{"DROP TABLE upload_parts", "DROP TABLE uploads", "DELETE FROM schema_versions WHERE version_id = 15"}

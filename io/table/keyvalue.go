package table

// KeyValue returns what all files say under a key of their metadata, the key-value
// metadata of Parquet; CSV has none. found is false if the first file has no such
// key. Files that differ in it are a *DataError that names one.
func (t *Table) KeyValue(key string) (value string, found bool, err error) {
	for i, p := range t.files {
		text, there := p.keyValue(key)
		if i == 0 {
			value, found = text, there
		}
		if text != value || there != found {
			return "", false, badFile(p.src.path, "has not the %s of %s in its metadata: the files were not written together", key, t.files[0].src.path)
		}
	}
	return value, found, nil
}

// keyValue returns what a file says under a key. Where a key repeats, the last
// counts.
func (p *part) keyValue(key string) (value string, found bool) {
	file, ok := p.body.(*parquetFile)
	if !ok {
		return "", false
	}
	for _, kv := range file.meta.KeyValueMetadata {
		if kv.Key == key {
			value, found = kv.Value, true
		}
	}
	return value, found
}

package main

// This file keeps count of the files beside the output that could not be written, so that
// one of them takes no other with it.

// unwritten are files beside a complete output that are not written.
type unwritten struct {
	flags []string
	why   []error
}

// Error names them all.
func (u *unwritten) Error() string {
	text := "the result is written, but not "
	for i, flag := range u.flags {
		if i > 0 {
			text += "; nor "
		}
		text += flag + ": " + u.why[i].Error()
	}
	return text
}

// Unwrap has the reasons, of which the exit code is made.
func (u *unwritten) Unwrap() []error { return u.why }

// missed takes note that the file of a flag is not written, unless there is no error.
func (j *job) missed(flag string, err error) {
	if err != nil {
		j.unwritten.flags, j.unwritten.why = append(j.unwritten.flags, flag), append(j.unwritten.why, err)
	}
}

// allWritten is an error that names what is not, nil if there is none.
func (j *job) allWritten() error {
	if len(j.unwritten.flags) == 0 {
		return nil
	}
	return &j.unwritten
}

// undrawn takes note that a picture could not be drawn: --plot is not written, and --html
// does without it.
func (j *job) undrawn(err error) {
	if j.outOpt.Plot != "" {
		j.missed("--plot", err)
	}
	if j.runOpt.HTML != "" {
		j.warn("no picture: %s", err)
	}
}

// Package values has what is known of the values of programs, for the readers of their
// languages: texts of which parts are not known, or that can be one of several, lists and
// maps, what has a name, and what each was made from.
//
//	v := m.Concat(values.Text("rm "), values.Text(values.Mark+"dir"+values.Mark))
//	values.Shown(v.Piece()) // rm ${dir}
//
// A [Value] never changes, so that values can share what they have. A [Maker] makes new
// ones of them, as long as it may.
package values

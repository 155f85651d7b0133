// Package report is what became of a map: a Report says what was read, kept and left out, how many materials were found, what the
// output's files are, how long each stage took, and what went wrong on the way, as issues.
//
// Issues have codes that stay the same from version to version; Codes lists them with a sentence each, and docs/reference/report.md
// explains them. An issue for which IsNote is true is a note: it only describes how something is shown, and nothing is wrong or
// lost.
package report

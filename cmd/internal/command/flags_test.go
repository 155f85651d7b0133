package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A flag that several commands have is registered once, so that it reads the same in each; but for names that mean something else in
// another command.
func TestFlagsAreRegisteredOnce(t *testing.T) {
	differing := map[string]int{
		"jobs":    2, // cores; maps at a time
		"timeout": 2, // of a conversion, for which there is none by default; of each map
		"verify":  2, // checksums in archives; contents of inputs and outputs
		"dry-run": 2, // converts and writes nothing; lists the maps
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	registers := regexp.MustCompile(`^(Bool|String|StringArray|Int|Int64|Duration)VarP?$`)
	places := map[string][]string{}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && registers.MatchString(f.Sel.Name) && len(call.Args) > 1 {
					if flag, ok := call.Args[1].(*ast.BasicLit); ok {
						word, _ := strconv.Unquote(flag.Value)
						places[word] = append(places[word], fset.Position(call.Pos()).String())
					}
				}
			}
			return true
		})
	}
	if len(places) < 30 {
		t.Errorf("only %d flags were found", len(places))
	}
	for flag, at := range places {
		if want := max(1, differing[flag]); len(at) != want {
			t.Errorf("--%s is registered at %q, want %d", flag, at, want)
		}
	}
}

func TestCommandsHaveTheNamesByWhichTheyAreFound(t *testing.T) {
	for _, c := range subcommands() {
		if got := c.build(&app{}).Name(); got != c.name {
			t.Errorf("%s is built for %s", got, c.name)
		}
	}
}

func TestTheRootNeedsItsCommandsOnlyIfTheyAreNamed(t *testing.T) {
	for line, want := range map[string]bool{
		"--version": false, "in.bsp out.glb --game infos": false, "info in.bsp": true, "-q batch maps -o out": true, "help": true,
		"completion bash": true, "__completeNoDesc in": true, "in.bsp info": true,
	} {
		if got := namesCommand(strings.Fields(line)); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}

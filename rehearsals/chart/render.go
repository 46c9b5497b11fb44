// Renders the templates of a Helm chart with the engine of Helm: Go's text/template, the functions of Sprig, and those
// that Helm adds. Helm itself is no package of Debian. Arguments: the chart, the values, release name, namespace.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	log.SetFlags(0)
	chart, valuesFile, release, namespace := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	var facts map[string]interface{}
	read(filepath.Join(chart, "Chart.yaml"), &facts)
	var values, given map[string]interface{}
	read(filepath.Join(chart, "values.yaml"), &values)
	read(valuesFile, &given)
	data := map[string]interface{}{
		"Values": merge(values, given),
		"Chart": map[string]interface{}{
			"Name": facts["name"], "Version": facts["version"], "AppVersion": facts["appVersion"],
		},
		"Release": map[string]interface{}{
			"Name": release, "Namespace": namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false,
		},
	}
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm takes these away.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	root.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = root.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var text bytes.Buffer
		check(root.ExecuteTemplate(&text, name, data))
		manifest := strings.ReplaceAll(text.String(), "<no value>", "")
		if strings.TrimSpace(manifest) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimPrefix(strings.TrimSpace(manifest), "---\n"))
		}
	}
}

// Helm merges maps, and replaces everything else.
func merge(base, over map[string]interface{}) map[string]interface{} {
	for key, value := range over {
		below, isMap := value.(map[string]interface{})
		existing, hasMap := base[key].(map[string]interface{})
		if isMap && hasMap {
			base[key] = merge(existing, below)
		} else {
			base[key] = value
		}
	}
	return base
}

func read(file string, into interface{}) {
	text, err := os.ReadFile(file)
	check(err)
	check(yaml.Unmarshal(text, into))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

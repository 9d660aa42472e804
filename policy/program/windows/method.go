package windows

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"github.com/sluice-project/sluice/policy/effect"
)

func argument(args []value, n int) value {
	if 0 <= n && n < len(args) {
		return args[n]
	}
	return value{}
}

// method is a call of a method, on a value or a type.
func (r *reader) method(v value, name string, args []value) value {
	first, second := argument(args, 0), argument(args, 1)
	if kind, ok := strings.CutPrefix(v.object, "type "); ok {
		if out, done := r.static(kind, name, args); done {
			return out
		}
	}
	switch name {
	case "downloadstring", "downloaddata", "openread", "getstringasync", "getasync", "getbytearrayasync":
		r.does(effect.Fetch, first.text)
		return value{remote: first.text}
	case "downloadfile", "downloadfiletaskasync":
		r.does(effect.Fetch, first.text)
		r.writes(second, value{remote: first.text})
		return value{}
	case "uploadfile":
		data := second
		if len(args) > 2 {
			data = args[2]
		}
		r.sends(first.text, r.reads(data))
		return value{}
	case "uploadstring", "uploaddata", "postasync", "putasync", "uploadvalues":
		data := second
		if len(args) > 2 {
			data = args[len(args)-1]
		}
		r.sends(first.text, data)
		return value{}
	case "invoke", "invokescript", "invokereturnasis":
		if v.object == "code" || v.object == "invoker" {
			if v.object == "invoker" {
				v = first
			}
			return r.evaluate(v)
		}
		if len(args) > 0 && v.known {
			return r.run(append([]value{v}, args...), value{})
		}
	case "newscriptblock", "create", "addscript":
		if v.object == "wmi win32_process" || strings.EqualFold(v.text, "win32_process") {
			return r.run(literals(splitWords(first.text)), value{})
		}
		out := first
		out.object = "code"
		if name == "addscript" {
			r.evaluate(first)
		}
		return out
	case "run", "exec": // WScript.Shell
		if v.object == "shell" {
			return r.run(literals(strings.Fields(first.text)), value{})
		}
	case "shellexecute":
		r.sudo = r.sudo || strings.EqualFold(argument(args, 3).text, "runas")
		return r.run(append([]value{first}, literals(strings.Fields(second.text))...), value{})
	case "getstring":
		if v.object == "type text.encoding unicode" || strings.Contains(v.object, "unicode") {
			return r.utf16(first)
		}
		return first
	case "getbytes", "tostring", "trim", "trimstart", "trimend", "toarray", "tochararray", "tolower", "toupper", "gettype", "getresult", "readtoend", "getawaiter", "getresponse", "getresponsestream":
		return v
	case "replace":
		return r.replaced(v, first.text, second.text)
	case "split":
		return r.split(v, first.text)
	case "kill", "closemainwindow":
		if v.object == "process" {
			r.does(effect.Kill, strings.Join(v.paths(), " "))
			return value{}
		}
	case "delete", "removedirectory":
		if class, ok := strings.CutPrefix(v.object, "wmi "); ok {
			r.removesInstance(class)
			return value{}
		}
		if len(v.paths()) > 0 {
			r.deletes(first.text == "$true", v)
			return value{}
		}
	case "invokeverb", "invokeverbex":
		if strings.EqualFold(first.text, "delete") {
			r.deletes(true, v)
		}
		return value{}
	case "deletefolder", "deletedirectory", "deletefile": // as Visual Basic and its scripts have them
		r.deletes(name != "deletefile", first)
		return value{}
	case "getfolder", "getfile", "namespace", "getdirectory", "parsename":
		if v.object == "files" || v.object == "shell" {
			return first
		}
	case "opentextfile", "copyfile", "copyfolder", "movefile", "movefolder", "createtextfile", "createshortcut":
		return r.scripted(v, name, args)
	case "regwrite", "setvalue":
		if key, ok := registry(first.text); ok {
			r.autostart(key)
			return value{}
		}
		if strings.Contains(v.text, "amsi") || strings.Contains(strings.ToLower(v.text), "amsi") {
			r.does(effect.Disarm, "script scanner")
			return value{}
		}
	case "getfield", "getmethod", "getproperty":
		return value{text: "$" + strings.ToLower(first.text)}
	case "registertask", "registertaskdefinition":
		r.does(effect.Persist, "scheduled task "+first.text)
		return value{}
	case "write", "writeline", "send", "writeasync", "sendasync":
		if r.connected != "" && len(first.sources) > 0 {
			r.sends(r.connected, first)
			return value{}
		}
	case "getstream", "read", "readline":
		out := value{}
		out.taint(v)
		if r.connected != "" {
			out.remote = r.connected
		}
		return out
	}
	out := value{text: "$" + name}
	out.taint(v)
	for i := range args {
		out.taint(args[i])
	}
	out.object = v.object
	return out
}

// static is a call of a method of a type.
func (r *reader) static(kind, name string, args []value) (value, bool) {
	first, second := argument(args, 0), argument(args, 1)
	switch kind {
	case "io.file", "io.fileinfo", "io.directory":
		if name != "new" {
			return r.files(name, args)
		}
	case "win32.registry", "microsoft.win32.registry":
		if key, ok := registry(first.text); ok && name == "setvalue" {
			r.autostart(key)
			return value{}, true
		}
	case "io.compression.zipfile":
		if name == "extracttodirectory" {
			r.writes(second, r.reads(first))
			return value{}, true
		}
	case "convert":
		if name == "frombase64string" {
			return decoded(first), true
		}
		if strings.HasPrefix(name, "to") && len(args) == 2 && (second.text == "16" || second.text == "8" || second.text == "2") {
			return value{text: "$x", hidden: "convert"}, true
		}
		return first, true
	case "environment":
		switch name {
		case "setenvironmentvariable":
			r.add(effect.Effect{Verb: effect.SetVariable, Object: first.text, From: second.text})
			return value{}, true
		case "getenvironmentvariable":
			return r.variable("env:" + first.text), true
		case "getenvironmentvariables":
			return value{sources: []string{"environment"}}, true
		case "getfolderpath":
			return literal(folder(first.text)), true
		}
	case "io.path":
		if name == "combine" {
			return value{text: strings.Join(value{list: args}.paths(), "/"), known: first.known && second.known}, true
		}
		if name == "gettemppath" {
			return literal("~/AppData/Local/Temp"), true
		}
	case "string":
		switch name {
		case "join":
			items := args[min(1, len(args)):]
			return r.joined(value{list: items}, first.text), true
		case "concat":
			return r.joined(value{list: args}, ""), true
		case "format":
			return r.format(first, value{list: args[min(1, len(args)):]}), true
		}
	case "diagnostics.process":
		if name == "start" {
			return r.run(append([]value{first}, literals(strings.Fields(second.text))...), value{}), true
		}
	case "net.dns":
		if len(first.sources) > 0 { // the name itself is told
			r.sends(first.text, first)
		}
		return value{}, true
	case "scriptblock":
		out := first
		out.object = "code"
		return out, true
	case "reflection.assembly", "appdomain":
		if strings.HasPrefix(name, "load") {
			switch {
			case first.remote != "":
				r.does(effect.RunRemote, first.remote)
			case r.loads(first.text):
			case name == "load" && (first.hidden != "" || !first.known):
				r.does(effect.RunHidden, "assembly")
			}
			return value{}, true
		}
	case "text.encoding", "system.text.encoding":
		return value{object: "type text.encoding"}, true
	}
	if name == "new" {
		return r.object(kind, args), true
	}
	return value{}, false
}

// decoded is the text of base64. It may be in either of two encodings.
func decoded(v value) value {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(v.text))
	if err != nil || !v.known || len(raw) > mostText {
		return value{text: "$decoded", hidden: "base64"}
	}
	return value{text: string(raw), known: true, hidden: "base64"}
}

// utf16 reads the bytes of a text as UTF-16.
func (r *reader) utf16(v value) value {
	if !v.known {
		return v
	}
	v.text = fromUTF16(v.text)
	return v
}

func fromUTF16(raw string) string {
	if len(raw) < 2 {
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i])|uint16(raw[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// files is what the types for files do.
func (r *reader) files(name string, args []value) (value, bool) {
	first, second := argument(args, 0), argument(args, 1)
	switch {
	case name == "delete":
		r.deletes(second.text == "$true", first)
	case strings.HasPrefix(name, "writeall"), strings.HasPrefix(name, "appendall"), name == "create", name == "openwrite", name == "createtext":
		r.writes(first, second)
	case strings.HasPrefix(name, "read"), name == "openread", name == "opentext":
		return r.reads(first), true
	case name == "copy", name == "replace":
		r.writes(second, r.reads(first))
	case strings.HasPrefix(name, "enumerate"), name == "getfiles", name == "getdirectories", name == "getfilesystementries":
		return value{text: strings.TrimRight(first.text, `/\`) + "/*", known: first.known}, true
	case name == "move":
		r.deletes(false, first)
		r.writes(second, value{sources: []string{r.path(first.text)}})
	default:
		return value{}, false
	}
	return value{}, true
}

// object is New-Object and ::new().
func (r *reader) object(kind string, args []value) value {
	kind = strings.TrimPrefix(strings.ToLower(kind), "system.")
	if strings.Contains(kind, "passwordvault") {
		r.does(effect.Reveal, "credentials that Windows keeps")
		return value{text: "$vault"}
	}
	switch kind {
	case "net.webclient", "net.http.httpclient":
		return value{object: "webclient"}
	case "net.sockets.tcpclient", "net.sockets.socket", "net.sockets.udpclient":
		if len(args) == 1 && len(args[0].list) > 0 {
			args = args[0].list
		}
		address := argument(args, 0).text
		if port := argument(args, 1); port.text != "" {
			address += ":" + port.text
		}
		if address != "" {
			r.does(effect.Connect, address)
			r.connected = address
		}
		return value{object: "socket", remote: address}
	case "net.sockets.tcplistener":
		r.does(effect.Listen, argument(args, 1).text)
		return value{object: "socket"}
	case "wscript.shell", "shell.application":
		return value{object: "shell"}
	case "scripting.filesystemobject":
		return value{object: "files"}
	case "io.fileinfo", "io.directoryinfo":
		return argument(args, 0)
	case "io.streamwriter":
		if to := argument(args, 0); to.object == "socket" || to.remote != "" {
			return to
		} else if to.known {
			r.writes(to, value{text: "$contents"})
		}
		return value{}
	case "data.sqlclient.sqlcommand", "microsoft.data.sqlclient.sqlcommand", "data.odbc.odbccommand", "data.oledb.oledbcommand", "mysql.data.mysqlclient.mysqlcommand", "npgsql.npgsqlcommand", "data.sqlite.sqlitecommand":
		r.query(argument(args, 0))
		return value{text: "$command"}
	case "io.streamreader", "io.compression.deflatestream", "io.compression.gzipstream", "io.memorystream":
		out := value{text: "$stream"}
		for i := range args {
			out.taint(args[i])
		}
		if file := argument(args, 0); kind == "io.streamreader" && file.known && file.text != "" {
			out.taint(r.reads(file))
		}
		if strings.Contains(kind, "compression") {
			out.hidden = "compression"
		}
		return out
	}
	out := value{text: "$object"}
	for i := range args {
		out.taint(args[i])
	}
	return out
}

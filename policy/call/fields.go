package call

import (
	"bytes"
	"unicode/utf8"
)

// field is the role of a member of the arguments, whatever tools call it.
type field uint8

const (
	noField field = iota
	fieldCommand
	fieldCommands
	fieldPath
	fieldPattern
	fieldURL
	fieldPrompt
	fieldPatch
	fieldDir
	fieldDirPath
	fieldEnv
	fieldContent
	fieldInput
	fieldCode
	fieldName
	fieldServer
	fieldArguments
	fieldCalls
	fieldRestart
	fieldNest
	fieldSQL
	fieldMethod
	fieldBody
	fieldLanguage
	fieldSource     // a file that something is taken from
	fieldTarget     // a file that something is put into
	fieldFrom       // the same, where a tool moves files
	fieldTo         //
	fieldAttachment // a file that is sent
	fieldShell      // a shell, or what it is told
	fieldProgram    // a program, by its name
	fieldGlob       // the names of the files that are searched
	fieldLookFor    // what contents are searched for
)

// fields are the relevant members, in lower case and without _ and -.
var fields = map[string]field{
	"command": fieldCommand, "cmd": fieldCommand, "commandline": fieldCommand, "script": fieldCommand, "shellcommand": fieldCommand,
	"bash": fieldCommand, "bashcommand": fieldCommand, "terminalcommand": fieldCommand, "shellscript": fieldCommand, "commandstring": fieldCommand, "cmdline": fieldCommand,
	"commandtorun": fieldCommand, "commandtext": fieldCommand, "shellcmd": fieldCommand, "bashscript": fieldCommand,
	"cmdstring": fieldCommand, "cmdstr": fieldCommand, "commandstr": fieldCommand, "cmdtext": fieldCommand, "oneliner": fieldCommand, "shellcode": fieldCommand,
	"commands": fieldCommands, "cmds": fieldCommands, "scripts": fieldCommands,
	"filepath": fieldPath, "path": fieldPath, "notebookpath": fieldPath, "absolutepath": fieldPath, "targetfile": fieldPath, "file": fieldPath,
	"filename": fieldPath, "dirpath": fieldDirPath, "directorypath": fieldPath, "paths": fieldPath, "files": fieldPath, "filepaths": fieldPath,
	"relativeworkspacepath": fieldPath, "relativepath": fieldPath, "relpath": fieldPath, "fullpath": fieldPath, "documentpath": fieldPath, "entrypath": fieldPath, "targetnotebook": fieldPath, "targetdirectory": fieldPath, "include": fieldPath,
	"source": fieldSource, "src": fieldSource, "oldpath": fieldSource, "sourcepath": fieldSource, "sourcefile": fieldSource, "frompath": fieldSource, "srcpath": fieldSource,
	"inputpath": fieldSource, "inputfile": fieldSource, "inputfiles": fieldSource, "sources": fieldSource, "localfile": fieldSource,
	"destination": fieldTarget, "dst": fieldTarget, "dest": fieldTarget, "newpath": fieldTarget, "moveto": fieldTarget, "destinationpath": fieldTarget, "destpath": fieldTarget,
	"targetpath": fieldTarget, "topath": fieldTarget, "output": fieldTarget, "outputpath": fieldTarget, "outputfile": fieldTarget, "outfile": fieldTarget,
	"savepath": fieldTarget, "saveto": fieldTarget, "saveas": fieldTarget, "downloadpath": fieldTarget, "outputfilename": fieldTarget, "outputdir": fieldTarget,
	"from": fieldFrom, "oldname": fieldFrom, "to": fieldTo, "newname": fieldTo, "target": fieldTo, "localpath": fieldPath,
	"attachments": fieldAttachment, "attachment": fieldAttachment, "attachmentpaths": fieldAttachment, "attachmentpath": fieldAttachment, "attachedfiles": fieldAttachment,
	"bodyfile": fieldAttachment, "datafile": fieldAttachment, "uploadfile": fieldAttachment, "filetoupload": fieldAttachment, "uploadpath": fieldAttachment,
	"shell": fieldShell, "sh": fieldShell,
	"program": fieldProgram, "executable": fieldProgram, "binary": fieldProgram, "exe": fieldProgram, "executablepath": fieldProgram, "bin": fieldProgram,
	"pattern": fieldPattern, "globpattern": fieldPattern, "glob": fieldGlob, "includes": fieldGlob, "includepattern": fieldGlob, "fileglob": fieldGlob, "filepattern": fieldGlob, "globs": fieldGlob,
	"regex": fieldLookFor, "regexp": fieldLookFor, "searchpattern": fieldLookFor, "substringpattern": fieldLookFor, "contentpattern": fieldLookFor, "searchterm": fieldLookFor, "searchtext": fieldLookFor, "searchstring": fieldLookFor, "searchquery": fieldLookFor, "contains": fieldLookFor,
	"url": fieldURL, "urls": fieldURL, "uri": fieldURL, "uris": fieldURL, "href": fieldURL, "link": fieldURL, "baseurl": fieldURL,
	"prompt": fieldPrompt, "query": fieldPrompt, "q": fieldPrompt, "querytext": fieldPrompt, "querystring": fieldPrompt, "rawquery": fieldPrompt,
	"patch": fieldPatch, "patchtext": fieldPatch, "diff": fieldPatch,
	"workdir": fieldDir, "cwd": fieldDir, "workingdirectory": fieldDir, "directory": fieldDir, "dir": fieldDir, "cd": fieldDir, "workingdir": fieldDir,
	"env": fieldEnv, "environment": fieldEnv,
	"content": fieldContent, "contents": fieldContent, "newstring": fieldContent, "newstr": fieldContent, "filetext": fieldContent, "newsource": fieldContent,
	"inserttext": fieldContent, "codeedit": fieldContent, "newtext": fieldContent,
	"body": fieldBody, "data": fieldBody, "message": fieldBody, "postdata": fieldBody,
	"input": fieldInput, "chars": fieldInput, "text": fieldInput,
	"code": fieldCode, "javascript": fieldCode, "js": fieldCode, "python": fieldCode, "pythoncode": fieldCode, "jscode": fieldCode, "expression": fieldCode, "pagefunction": fieldCode, "cellsource": fieldCode, "cellcode": fieldCode,
	"name": fieldName, "tool": fieldName, "toolname": fieldName, "recipientname": fieldName, "function": fieldName, "fn": fieldName, "func": fieldName, "toolid": fieldName, "toolslug": fieldName, "actionname": fieldName,
	"server": fieldServer, "servername": fieldServer, "serverlabel": fieldServer,
	"arguments": fieldArguments, "args": fieldArguments, "parameters": fieldArguments, "params": fieldArguments, "toolinput": fieldArguments, "toolargs": fieldArguments,
	"argv": fieldArguments, "toolarguments": fieldArguments, "toolparameters": fieldArguments, "toolparams": fieldArguments, "argument": fieldArguments,
	"toolcalls": fieldCalls, "tooluses": fieldCalls, "calls": fieldCalls, "invocations": fieldCalls, "toolinvocations": fieldCalls, "functioncalls": fieldCalls, "requests": fieldCalls,
	"steps": fieldCalls, "actions": fieldCalls, "tasks": fieldCalls, "jobs": fieldCalls, "tools": fieldCalls,
	"restart": fieldRestart,
	"sql":     fieldSQL, "sqlquery": fieldSQL, "sqlstatement": fieldSQL, "statement": fieldSQL, "statements": fieldSQL, "queries": fieldSQL, "sqlstatements": fieldSQL, "sqlqueries": fieldSQL, "sqltext": fieldSQL, "stmt": fieldSQL, "rawsql": fieldSQL, "ddl": fieldSQL, "sqls": fieldSQL, "sqlcommand": fieldSQL,
	"language": fieldLanguage, "lang": fieldLanguage, "runtime": fieldLanguage,
	"method": fieldMethod, "httpmethod": fieldMethod,
	"action": fieldNest, "operation": fieldNest, "edits": fieldNest, "replacements": fieldNest, "modifications": fieldNest, "fileedits": fieldNest, "filechanges": fieldNest, "hunks": fieldNest, "changes": fieldNest, "payload": fieldNest, "request": fieldNest, "options": fieldNest, "operations": fieldNest, "op": fieldNest, "operationname": fieldNest, "verb": fieldNest,
}

// fieldOf returns the role of a member. It also recognises names that
// case-insensitive or style-insensitive readers would accept.
func fieldOf(key []byte) field {
	var room [mostKey]byte
	folded := foldKey(room[:0], key)
	if f, ok := fields[string(folded)]; ok {
		return f
	}
	// cli_command, remote_command, kubectl_command
	if bytes.HasSuffix(folded, []byte("command")) && !bytes.HasSuffix(folded, []byte("subcommand")) {
		return fieldCommand
	}
	// markdown_file_path, pathInProject
	if bytes.HasSuffix(folded, []byte("filepath")) || bytes.HasPrefix(folded, []byte("pathin")) {
		return fieldPath
	}
	return noField
}

// mostKey is the maximum length of a member's name that is considered.
const mostKey = 24

// foldKey appends the name of a member without case, spaces and word separators,
// and with look-alike letters replaced. One that is too long is empty.
func foldKey(b, key []byte) []byte {
	for _, c := range key {
		switch {
		case c == '_' || c == '-' || c == ' ' || c == '.':
			continue
		case c >= utf8.RuneSelf || c < ' ':
			return foldRareKey(b[:0], key)
		case len(b) == mostKey:
			return b[:0]
		}
		b = append(b, lower(c))
	}
	return b
}

func foldRareKey(b, key []byte) []byte {
	if len(key) > 8*mostKey {
		return b
	}
	for _, c := range []byte(clean(string(key))) {
		if c == '_' || c == '-' || c == ' ' || c == '.' || c < ' ' {
			continue
		}
		if len(b) == mostKey {
			return b[:0]
		}
		b = append(b, lower(c))
	}
	return b
}

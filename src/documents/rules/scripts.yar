// Text that a browser or a shell would run, within a page or a picture. Whole files only:
// text that is shown on a page may well speak of scripts.

rule html_smuggling
{
  strings:
    $document = /<html[\s>]/ nocase
    $type = "<!doctype html" nocase
    $script = /<script[\s>\/]/ nocase
    $frame = /<iframe[\s>\/]/ nocase
    $picture = /<svg[\s][a-z]{3}/ nocase
    $handler = /[\s"'\/]on(error|load|click|mouseover)[\s]?=[\s]?["'a-z]/ nocase
    $address = /data:(text\/html|image\/svg\+xml)[;,]/ nocase
    $blob = "msSaveOrOpenBlob"
  condition:
    part != "stream" and any of them
}

rule server_script
{
  strings:
    $php = /<\?php[\s]/ nocase
    $php_echo = /<\?=[\s]{0,9}(\$[a-z_]{4}|`[a-z \/]{6}|[a-z_]{5,40}\()/ nocase
    $asp = /<%@[\s]{0,9}(page|language|import)/ nocase
  condition:
    part != "stream" and any of them
}

rule shell_script
{
  strings:
    $interpreter = /#![ ]?\/(usr\/)?(local\/)?bin\/[a-z]/
    $batch = "@echo off" nocase
    $powershell = /powershell(\.exe)?[\s]{1,9}-[a-z]/ nocase
    $windows_host = /(WScript\.Shell|Scripting\.FileSystemObject|Shell\.Application)/ nocase
    $command = /cmd(\.exe)?[\s]{1,9}\/c[\s]/ nocase
  condition:
    part != "stream" and any of them
}

// A picture whose first length reads "/*" is a comment to a browser that takes it for
// JavaScript, and what follows it may be anything.
rule picture_as_javascript
{
  strings:
    $end = "*/"
    $assignment = "*/="
  condition:
    part == "image"
    and uint16be(4) == 0x2F2A
    and (uint32be(0) != 0x52494646 or uint32(4) + 8 != filesize)
    and $end
    and (uint32be(0) == 0xFFD8FFE0 or $assignment)
}

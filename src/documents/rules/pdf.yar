// What a PDF can do beyond showing pages. Letters and reports need none of it.
// Any letter of a name may be written as # and two hexadecimal digits, and a name may
// stand in a compressed stream: the patterns know the first, the caller unpacks the second.
// `part` is "pdf" for the file as it came, "stream" for what was unpacked from it.

rule pdf_javascript
{
  strings:
    $name = /\/(J|#4[Aa])(a|#61)(v|#76)(a|#61)(S|#53)(c|#63)(r|#72)(i|#69)(p|#70)(t|#74)/
    // Chance writes four bytes into any large file; hence some of the script with them.
    $code = /\/(J|#4[Aa])(S|#53)[\x00\s]{0,32}\((\xfe\xff|[\t\r\n -~]{8})/
    $hex_code = /\/(J|#4[Aa])(S|#53)[\x00\s]{0,32}<[0-9A-Fa-f\s]{8}/
    $code_elsewhere = /\/(J|#4[Aa])(S|#53)[\x00\s]{1,32}[0-9]{1,9}[\x00\s]{1,32}[0-9]{1,5}[\x00\s]{1,32}R/
    $address = /\([\x00\s]{0,32}javascript:/ nocase
  condition:
    part != "image" and any of them
}

rule pdf_launch
{
  strings:
    $name = /\/(L|#4[Cc])(a|#61)(u|#75)(n|#6[Ee])(c|#63)(h|#68)[\x00\s\/<>\[\]()%]/
  condition:
    part != "image" and $name
}

rule pdf_embedded_file
{
  strings:
    $type = /\/(E|#45)(m|#6[Dd])(b|#62)(e|#65)(d|#64)(d|#64)(e|#65)(d|#64)(F|#46)(i|#69)(l|#6[Cc])(e|#65)/
    $annotation = /\/(F|#46)(i|#69)(l|#6[Cc])(e|#65)(A|#41)(t|#74)(t|#74)(a|#61)(c|#63)(h|#68)(m|#6[Dd])(e|#65)(n|#6[Ee])(t|#74)/
    $reference = /\/(E|#45)(F|#46)[\x00\s]{0,32}(<<|[0-9]{1,9}[\x00\s]{1,32}[0-9]{1,5}[\x00\s]{1,32}R)/
    $media = /\/(R|#52)(i|#69)(c|#63)(h|#68)(M|#4[Dd])(e|#65)(d|#64)(i|#69)(a|#61)/
  condition:
    part != "image" and any of them
}

// Links that a reader clicks are ordinary; these leave for elsewhere by themselves, or
// take what was filled in along.
rule pdf_external_fetch
{
  strings:
    $remote = /\/(G|#47)(o|#6[Ff])(T|#54)(o|#6[Ff])(R|#52)[\x00\s\/<>\[\]()%]/
    $embedded = /\/(G|#47)(o|#6[Ff])(T|#54)(o|#6[Ff])(E|#45)[\x00\s\/<>\[\]()%]/
    $submit = /\/(S|#53)(u|#75)(b|#62)(m|#6[Dd])(i|#69)(t|#74)(F|#46)(o|#6[Ff])(r|#72)(m|#6[Dd])/
    $import = /\/(I|#49)(m|#6[Dd])(p|#70)(o|#6[Ff])(r|#72)(t|#74)(D|#44)(a|#61)(t|#74)(a|#61)/
    $system = /\/(F|#46)(S|#53)[\x00\s]{0,32}\/(U|#55)(R|#52)(L|#4[Cc])/
    $opening = /\/(O|#4[Ff])(p|#70)(e|#65)(n|#6[Ee])(A|#41)(c|#63)(t|#74)(i|#69)(o|#6[Ff])(n|#6[Ee])[\x00\s]{0,32}<<[^>]{0,64}\/(U|#55)(R|#52)(I|#49)[\x00\s\/<>\[\]()%]/
    $trigger = /\/(A|#41)(A|#41)[\x00\s]{0,32}<<[^>]{0,64}\/(U|#55)(R|#52)(I|#49)[\x00\s\/<>\[\]()%]/
    $share = /\([\x00\s]{0,32}(\\\\){2}[A-Za-z0-9.\-]{1,253}(\\\\|\/)/
  condition:
    part != "image" and any of them
}

// Forms of Adobe's own kind: a document of scripts and fetches within the document.
rule pdf_xfa_form
{
  strings:
    $name = /\/(X|#58)(F|#46)(A|#41)[\x00\s]{0,32}(\[|<|[0-9]{1,9}[\x00\s]{1,32}[0-9]{1,5}[\x00\s]{1,32}R)/
  condition:
    part != "image" and $name
}

// What can't be read can't be judged.
rule pdf_encrypted
{
  strings:
    $name = /\/(E|#45)(n|#6[Ee])(c|#63)(r|#72)(y|#79)(p|#70)(t|#74)[\x00\s]{0,32}(<<|[0-9]{1,9}[\x00\s]{1,32}[0-9]{1,5}[\x00\s]{1,32}R)/
  condition:
    part != "image" and $name
}

// Archives that hide behind a page or a picture: programs that open archives look for
// them from the end of a file, or anywhere.

rule zip_archive
{
  strings:
    $directory_end = { 50 4B 05 06 }
  condition:
    // Any entry at all: the directory is right before its end record, whatever offset the
    // record names. Decoys are as in windows_executable.
    #directory_end > 20000
    or for any i in (1..#directory_end): (
      uint32(@directory_end[i] - uint32(@directory_end[i] + 12)) == 0x02014B50
    )
}

rule other_archive
{
  strings:
    $rar = { 52 61 72 21 1A 07 (00 | 01) }
    $seven_zip = { 37 7A BC AF 27 1C 00 }
    $xz = { FD 37 7A 58 5A 00 00 }
    $cabinet = { 4D 53 43 46 00 00 00 00 }
    $gzip = { 1F 8B 08 0? ?? ?? ?? ?? (00 | 02 | 04) (00 | 03 | 07 | 0A | 0B | FF) }
    $tar = { 00 75 73 74 61 72 (00 30 30 | 20 20 00) }
    $disk_image = { 01 43 44 30 30 31 01 00 }
  condition:
    // Unpacked streams hold fonts and pictures packed in their own ways, never a file.
    part != "stream" and any of them
}

rule office_document
{
  strings:
    $compound = { D0 CF 11 E0 A1 B1 1A E1 }
    $rich_text = "{\\rtf1"
  condition:
    part != "stream" and any of them
}

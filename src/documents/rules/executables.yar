// Programs in disguise, or appended to something harmless.

rule windows_executable
{
  strings:
    $mz = "MZ"
  condition:
    // So many are a decoy for the loop, not chance: chance makes 240 in 15 MiB.
    #mz > 20000
    or for any i in (1..#mz): (uint32(@mz[i] + uint32(@mz[i] + 60)) == 0x00004550)
}

rule unix_executable
{
  strings:
    $elf = { 7F 45 4C 46 (01 | 02) (01 | 02) 01 }
    $mach_o_32 = { CE FA ED FE (07 | 0C) 00 00 (00 | 01) }
    $mach_o_64 = { CF FA ED FE (07 | 0C) 00 00 (00 | 01) }
    $mach_o_universal = { CA FE BA BE 00 00 00 (01 | 02 | 03 | 04) (00 | 01) 00 00 (07 | 0C) }
  condition:
    any of them
}

rule bytecode
{
  strings:
    $java_class = { CA FE BA BE 00 00 00 (2D | 2E | 2F | 3?| 4?) 00 ?? (07 | 0A) }
    $web_assembly = { 00 61 73 6D 01 00 00 00 }
    $android = { 64 65 78 0A 30 33 ?? 00 }
  condition:
    any of them
}

rule windows_shortcut
{
  strings:
    $link = { 4C 00 00 00 01 14 02 00 00 00 00 00 C0 00 00 00 00 00 00 46 }
  condition:
    $link
}

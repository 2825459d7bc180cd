// The examples at the end of a command's help.

/** Lines of `npm run admin -- …`, each with what follows the dashes. */
export const examples = (...commands: string[]): string =>
  `\nExamples:\n${commands.map((command) => `  npm run admin -- ${command}`).join('\n')}`

// The guides for partners, out of the files in docs. Those that are for operators and
// developers alone are named too, so that a new file is never published by mistake.
import { readFileSync } from 'node:fs'
import { introduction } from '../http/openapi_introduction.ts'
import { type File, html } from './files.ts'
import { layout, link } from './layout.ts'
import { titleOf, toHtml } from './markdown.ts'

type Guide = {
  /** The file's name in docs, and the page's. */
  name: string
  /** What it is for, in a line. */
  about: string
  /** A heading at which the part for partners ends. */
  until?: string
  read?: () => string
}

/** In the order in which a newcomer needs them. */
export const guides: Guide[] = [
  { name: 'getting-started', about: 'From nothing to a first quote request in ten minutes.' },
  { name: 'authentication', about: 'Which key goes where, what a scope allows, and how to change a key.' },
  {
    name: 'conventions',
    about: 'Keys, checks, bodies, repeats and errors, said once for all operations.',
    read: () => `# What holds for every request\n\n${introduction()}`,
  },
  { name: 'idempotency-and-retries', about: 'How to repeat a request so that nothing happens twice.' },
  { name: 'reading-errors', about: 'What every refusal has, and what a program does with it.' },
  { name: 'limits', about: 'How much, how many, how long, how often.' },
  { name: 'directory', about: 'Organizations and contacts from your system, every night, crashes included.' },
  { name: 'leads', about: 'Leads of your CRM, each tied to one organization.' },
  { name: 'documents', about: 'Files for a quote: what is taken, scanned and refused.' },
  {
    name: 'webhooks',
    about: 'Be told of changes: what arrives, how to verify it, what to expect.',
    until: '## For the operator',
  },
  { name: 'versioning', about: 'What may change, what may not, and how you are told.' },
]

const fileOf = (name: string): URL => new URL(`../../docs/${name}.md`, import.meta.url)

/** Files of docs that are not for partners. `errors` is served as a page for each code. */
export const internalDocs = [
  'analytics',
  'dependencies',
  'errors',
  'faults',
  'licences',
  'operations',
  'performance',
  'scaling',
  'tenant-isolation',
]

const base = '/docs/guides'

export const guideFiles = (): File[] => [
  { path: base, type: html, read: async () => listPage() },
  ...guides.map((guide) => ({
    path: `${base}/${guide.name}`,
    type: html,
    read: async () => guidePage(guide),
  })),
]

/** The part of a guide that partners read, as Markdown. */
export function guideText({ name, until, read }: Guide): string {
  const text = read?.() ?? readFileSync(fileOf(name), 'utf8')
  const end = until === undefined ? -1 : text.indexOf(`\n${until}\n`)
  if (until !== undefined && end < 0) throw new Error(`docs/${name}.md has no heading ${until}`)
  return end < 0 ? text : text.slice(0, end)
}

const titled = () => guides.map((guide) => ({ path: `${base}/${guide.name}`, title: titleOf(guideText(guide)) }))

function guidePage(guide: Guide): string {
  const text = guideText(guide)
  const path = `${base}/${guide.name}`
  return layout({ title: titleOf(text), path, main: columns(path, toHtml(text) + turns(path)) })
}

function listPage(): string {
  const items = guides.map((guide) => {
    const { name, about } = guide
    return `<li>${link(`${base}/${name}`, titleOf(guideText(guide)), false)}<p>${about}</p></li>`
  })
  const content = `<h1>Guides</h1>
<p>Short, in the order in which you are likely to need them. The reference of every operation is on
<a href="/docs">the first page</a>, where you can try it.</p>
<ul class="guides">${items.join('\n')}</ul>`
  return layout({ title: 'Guides', path: base, main: columns(base, content) })
}

const columns = (path: string, content: string): string => `<div class="columns">
<nav class="side" aria-label="Guides">${titled()
  .map((one) => link(one.path, one.title, one.path === path))
  .join('\n')}</nav>
<article class="prose">${content}</article>
</div>`

/** Links to the guides before and after one. */
function turns(path: string): string {
  const all = titled()
  const place = all.findIndex((one) => one.path === path)
  const [before, after] = [all[place - 1], all[place + 1]]
  return `<nav class="turn" aria-label="Before and after">
<span>${before ? `← ${link(before.path, before.title, false)}` : ''}</span>
<span>${after ? `${link(after.path, after.title, false)} →` : ''}</span>
</nav>`
}

// Our own Markdown to HTML: headings that can be linked to, tables and code that scroll
// by themselves, links between files as links between pages. Markup in it is left out.
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './layout.ts'

/** Text of a Markdown file as HTML. */
export const toHtml = (markdown: string): string => marked.parse(markdown, { async: false })

/** What a page is called: its first heading. */
export const titleOf = (markdown: string): string =>
  (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replaceAll('`', '')

/** Where a link of a file in docs leads to on the site. */
export function siteAddress(href: string): string {
  const [, name = '', anchor] = /^(?:\.\/)?([a-z_-]+)\.md(?:#(.+))?$/.exec(href) ?? []
  if (name === '') return href
  if (name === 'errors') return anchor ? `/docs/errors/${anchor}` : '/docs/errors'
  return `/docs/guides/${name}${anchor ? `#${anchor}` : ''}`
}

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      const inner = this.parser.parseInline(tokens)
      return `<h${depth} id="${slug(text)}">${inner}</h${depth}>\n`
    },
    link({ href, tokens }: Tokens.Link): string {
      const rel = /^https?:/.test(href) ? ' rel="noreferrer"' : ''
      return `<a href="${escapeHtml(siteAddress(href))}"${rel}>${this.parser.parseInline(tokens)}</a>`
    },
    code: ({ text }: Tokens.Code): string =>
      `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    html: (): string => '',
  },
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
})

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')

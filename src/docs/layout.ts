// The frame of every page at /docs: head, navigation, and what the page itself brings.
// No script or style stands in the HTML, so that the policy can forbid both there.

export type Layout = {
  title: string
  /** The address of the page, to mark it in the navigation. */
  path: string
  main: string
  /** Markup for the head beside the page's own style. */
  head?: string
}

const sections = [
  { path: '/docs', name: 'Try it' },
  { path: '/docs/guides', name: 'Guides' },
  { path: '/docs/errors', name: 'Errors' },
]

/** A whole HTML document. */
export const layout = ({ title, path, main, head = '' }: Layout): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Appraisal API</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
${head}<link rel="stylesheet" href="/docs/assets/page.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Appraisal API</a>
<nav aria-label="Documentation">${sections.map((section) => sectionLink(section, path)).join('')}
<a href="/public/v1/openapi.json">OpenAPI</a></nav>
</header>
<main id="content" tabindex="-1">
${main}
</main>
</body>
</html>
`

function sectionLink(section: { path: string; name: string }, path: string): string {
  const isHere = section.path === path || (section.path !== '/docs' && path.startsWith(`${section.path}/`))
  return link(section.path, section.name, isHere)
}

/** A link, marked when it leads to the page that it stands on. */
export const link = (href: string, name: string, isHere: boolean): string =>
  `<a href="${escapeHtml(href)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a>`

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

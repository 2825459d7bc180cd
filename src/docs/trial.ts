// The page at /docs: what the API is, the first steps, a field for a test key, and the
// reference, which Swagger UI draws from the OpenAPI document. It calls staging and
// nothing else: in production that is the staging deployment that the operator named.
import type { KeyEnvironment } from '../api_key.ts'
import { layout, escapeHtml } from './layout.ts'

/** Where the page's requests go: its own origin, another address, or nowhere. */
export type Trial = 'same origin' | 'off' | URL

export function trialOf(environment: KeyEnvironment, stagingBaseUrl: string | undefined): Trial {
  if (environment === 'test') return 'same origin'
  return stagingBaseUrl ? new URL(stagingBaseUrl) : 'off'
}

const head = `<script src="/docs/assets/scheme.js"></script>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
`

export const trialPage = (trial: Trial): string =>
  layout({ title: 'Try it', path: '/docs', head, main: main(trial) })

const main = (trial: Trial): string => `<section class="hero">
<h1>Quotes, fees and a directory, over one API</h1>
<p class="lead">List what an appraisal company offers, check coverage, preview a fee, send quote
requests into its office, and keep organizations and leads in step. JSON over HTTPS, one key, one
envelope for errors.</p>
<ol class="steps">
<li><h2>Get a test key</h2><p>Ask the company that you work with. A test key begins with
<code>svc_test_</code>. On your own machine the first <code>npm start</code> prints one.</p></li>
<li><h2>Put it below</h2><p>It stays in this page's memory and is gone when you leave. Live keys are
for servers and are refused here.</p></li>
<li><h2>Make two calls</h2><p><a href="#/Products%20and%20fees/list_products">List products</a>, then
<a href="#/Quotes/create_quote">request a quote</a>: “Try it out”, “Execute”.</p></li>
</ol>
<p class="more">New to it? <a href="/docs/guides">Read the guides</a>. A call was refused?
<a href="/docs/errors">Each error has a page</a>.</p>
</section>
<section class="key" aria-label="Your key">
<div class="field">
<label for="api-key">API key</label>
<input id="api-key" type="text" placeholder="svc_test_…" autocomplete="off" autocapitalize="off"
 autocorrect="off" spellcheck="false" maxlength="400" aria-describedby="key-status key-refusal">
<p id="key-status" role="status">${serverLine(trial)}</p>
</div>
<p id="key-refusal" role="alert"></p>
</section>
<div id="reference" data-server="${escapeHtml(serverOf(trial))}" data-trial="${trial === 'off' ? 'off' : 'on'}">
<p class="loading">The reference needs JavaScript. Without it, read the
<a href="/public/v1/openapi.json">OpenAPI document</a>.</p>
</div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/trial.js"></script>`

const serverOf = (trial: Trial): string =>
  trial instanceof URL ? trial.href.replace(/\/+$/, '') : ''

function serverLine(trial: Trial): string {
  if (trial === 'off') {
    return (
      'Trying is switched off here: this is a production deployment, and its operator has not ' +
      'named the staging deployment that a test key would call (STAGING_BASE_URL).'
    )
  }
  return trial instanceof URL
    ? `Requests from this page go to staging, ${escapeHtml(trial.host)}.`
    : 'This is a staging deployment; requests from this page go to it.'
}

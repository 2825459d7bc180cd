// Drives the trial page: takes a test key, refuses a live one wherever it is typed, and
// lets Swagger UI send requests to staging alone. The key lives in a variable here; it is
// never written to storage, a cookie or the address.
const testKey = /^svc_test_[0-9A-Za-z]{38}$/
const liveKey = /svc_live_/i

const sentences = {
  live:
    'This is a live key. It was not sent: live keys act on real records and belong on a server. ' +
    'Use a test key here, and if others could see this one, have it replaced.',
  form: 'A test key begins with svc_test_ and has 47 characters.',
  ready: 'Test key in use until you leave this page.',
  notSent: 'No request was sent. ',
}

const reference = document.querySelector('#reference')
const field = document.querySelector('#api-key')
const status = document.querySelector('#key-status')
const refusal = document.querySelector('#key-refusal')

const server = reference.dataset.server || location.origin
const isOn = reference.dataset.trial === 'on'
const usual = status.textContent

let key = ''

function readKey() {
  const text = field.value.trim().replace(/^bearer\s+/i, '')
  key = testKey.test(text) ? text : ''
  const isRefused = text !== '' && key === ''
  field.setAttribute('aria-invalid', String(isRefused))
  say(status, key !== '' && isOn ? `${sentences.ready} ${usual}` : usual)
  say(refusal, isRefused ? faultOf(text) : '')
}

const faultOf = (text) => (liveKey.test(text) ? sentences.live : sentences.form)

// Set again, the same text would be read aloud again.
function say(place, text) {
  if (place.textContent !== text) place.textContent = text
}

// A live key that is typed into a parameter or a body is told of before it could be sent.
document.addEventListener('input', ({ target }) => {
  if (target === field) readKey()
  else if (liveKey.test(target.value ?? '')) say(refusal, sentences.live)
  else readKey()
})

/** Every text of a request: address, headers, and a body of JSON or of form fields. */
function textsOf({ url, headers, body }) {
  const fields = body instanceof FormData ? [...body.entries()].flat() : [body]
  const values = Object.values(headers ?? {})
  return [url, decoded(url), ...values, ...fields.map((part) => part?.name ?? part)].map(String)
}

function decoded(url) {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

// The second guard: whatever was typed where, a request is looked at before it leaves.
function guard(request) {
  if (textsOf(request).some((text) => liveKey.test(text)) || liveKey.test(field.value)) {
    say(refusal, sentences.live)
    throw new Error(sentences.notSent + sentences.live)
  }
  if (!isOn || !request.url.startsWith(`${server}/public/v1/`)) {
    throw new Error(sentences.notSent + usual)
  }
  if (key === '' && field.value.trim() !== '') throw new Error(sentences.notSent + sentences.form)
  if (key !== '') request.headers['Authorization'] = `Bearer ${key}`
  if (needsIdempotencyKey(request)) request.headers['Idempotency-Key'] = randomKey()
  request.credentials = 'omit'
  request.referrerPolicy = 'no-referrer'
  return request
}

let idempotent = []

function needsIdempotencyKey({ url, method, headers }) {
  const path = new URL(url).pathname
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key')
  return !isNamed && idempotent.some((one) => method.toLowerCase() === one.method && path.endsWith(one.path))
}

// crypto.randomUUID is there on https and localhost only.
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `try-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const keyHint =
  'Required by the API: new for each new request, the same when you repeat one. Leave it empty ' +
  'here, and the page sends a new one each time.'

/** The document as this page needs it: one server, keys from the field above. */
function adapted(openapi) {
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  for (const { path, method, operation } of operations) {
    delete operation.security
    // They are nearly the same everywhere; the conventions say them once.
    for (const response of Object.values(operation.responses)) delete response.headers
    const parameter = operation.parameters?.find(({ name }) => name === 'Idempotency-Key')
    if (!parameter) continue
    idempotent = [...idempotent, { path, method }]
    Object.assign(parameter, { required: false, description: keyHint })
    delete parameter.example
  }
  delete openapi.components.securitySchemes
  return { ...openapi, servers: [{ url: server }] }
}

// Above an answer that refuses: the page that says what to do about it. What the guard
// refused has no answer, and nothing that Swagger UI could show of a request.
const helpfulAnswer = (Original, { React: { createElement: make, Fragment } }) =>
  function LiveResponse(properties) {
    const message = properties.response.get('message') ?? ''
    if (message.startsWith(sentences.notSent)) return make('p', { className: 'not-sent' }, message)
    const code = codeOf(properties.response)
    const link = make('a', { href: `/docs/errors/${code}` }, code)
    const help = make('p', { className: 'error-help' }, 'What happened and how to fix it: ', link)
    return make(Fragment, null, code && help, make(Original, properties))
  }

function codeOf(response) {
  if (!(response.get('status') >= 400)) return null
  try {
    const { code } = JSON.parse(response.get('text'))
    return /^[a-z_]+$/.test(code) ? code : null
  } catch {
    return null
  }
}

const nothing = () => () => null

// A link inside the button that opens an operation is one too many for a keyboard.
const plainLink = (_Original, { React }) => ({ text }) => React.createElement('span', null, text)

// Names for what Swagger UI leaves without one, and a way for a keyboard to what scrolls.
const mendings = [
  ['main', 'role', 'group'],
  ['.models > h4', 'aria-level', '2'],
  ['textarea:not([aria-label])', 'aria-label', 'Request body'],
  ['.examples-select-element:not([aria-label])', 'aria-label', 'Example'],
  ['.content-type:not([aria-label])', 'aria-label', 'Media type'],
  ['input[type=file]:not([aria-label])', 'aria-label', 'File'],
  ['pre:not([tabindex])', 'tabindex', '0'],
]

function mend() {
  for (const [selector, name, value] of mendings) {
    for (const element of reference.querySelectorAll(selector)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value)
    }
  }
}

async function draw() {
  const response = await fetch('/public/v1/openapi.json', { credentials: 'omit' })
  if (!response.ok) throw new Error(String(response.status))
  const spec = adapted(await response.json())
  reference.replaceChildren()
  window.SwaggerUIBundle({
    domNode: reference,
    spec,
    validatorUrl: null,
    persistAuthorization: false,
    queryConfigEnabled: false,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    supportedSubmitMethods: isOn ? ['get', 'post', 'patch'] : [],
    requestInterceptor: guard,
    plugins: [
      {
        wrapComponents: { InfoContainer: nothing, DeepLink: plainLink, liveResponse: helpfulAnswer },
      },
    ],
  })
  new MutationObserver(mend).observe(reference, { childList: true, subtree: true })
}

readKey()
draw().catch(() => {
  reference.textContent = 'The reference could not be loaded. Reload the page to try again.'
})

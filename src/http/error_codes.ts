// The one list of error codes. The envelope, the OpenAPI document, db/errors.md and the
// pages that explain each code to callers are all made from it.

type ErrorCodeEntry = {
  status: number
  title: string
  /** What happened, in a sentence or two; the first is a whole answer by itself. */
  happened: string
  /** What the caller can do about it. */
  fix: string
}

export const errorCodes = {
  bad_request: {
    status: 400,
    title: 'Not HTTP',
    happened: 'This is not an HTTP request, or it has no Host header. It was not looked at further.',
    fix:
      'Send requests with an HTTP library rather than by hand, and check that no proxy on the ' +
      'way changes them.',
  },
  idempotency_key_required: {
    status: 400,
    title: 'Idempotency-Key missing',
    happened: 'This operation needs an Idempotency-Key and the request has none, or an empty one.',
    fix:
      'Send a new random key, such as a UUID, with each new request, and the same key ' +
      'again when you retry it.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Idempotency-Key not usable',
    happened: 'The Idempotency-Key is not 1 to 255 visible ASCII characters.',
    fix: 'Use letters, digits and signs without spaces. A UUID will do.',
  },
  invalid_json: {
    status: 400,
    title: 'Body is not JSON',
    happened: 'The body cannot be read as JSON in UTF-8.',
    fix:
      'Send what your JSON library prints, and check that nothing cuts the body short ' +
      'on its way.',
  },
  missing_filter: {
    status: 400,
    title: 'No filter given',
    happened: 'The list of orders was asked for without any of its filters.',
    fix: 'Give at least one of order_number, loan_number and client_tracking_number.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid API key',
    happened:
      'The request has no API key, or one that is not valid here: mistyped, unknown, revoked, ' +
      'expired, or of the other environment.',
    fix:
      'Send the header `Authorization: Bearer <key>`. Test keys work on staging only, live keys in ' +
      'production only.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Scope missing',
    happened: 'The API key is valid but lacks the scope that this operation needs.',
    fix: 'Ask the company that gave you the key for one with the scope that the message names.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    happened:
      'Nothing of your company has this id, reference or code, or there is nothing at this ' +
      'address. Records of other companies answer the same.',
    fix: 'Check the id and the path, and that the key belongs to the company that owns the record.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    happened: 'The address exists and does not answer this HTTP method.',
    fix: 'Use one of the methods that the Allow header lists.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    happened: 'The request did not arrive in time. Nothing was done.',
    fix:
      'Send it again over a new connection, with the same Idempotency-Key where there is one. ' +
      'Send smaller batches if the line is slow.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency-Key used for another request',
    happened: 'This Idempotency-Key was already used with another body or on another path.',
    fix: 'Send a new key for a new request. To retry, send the first request again unchanged.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'First request still running',
    happened: 'The first request with this Idempotency-Key has not finished after 5 seconds.',
    fix: 'Wait as long as Retry-After says and send the same request with the same key again.',
  },
  name_conflict: {
    status: 409,
    title: 'Name taken',
    happened: 'Another organization already has this name. Nothing was changed.',
    fix: 'Send the reference of the organization that has the name, or another name.',
  },
  ambiguous_match: {
    status: 409,
    title: 'Account number matches several organizations',
    happened: 'More than one organization has this account number. Nothing was changed.',
    fix: 'Send external_reference, which names one organization.',
  },
  external_reference_conflict: {
    status: 409,
    title: 'Account number linked to another reference',
    happened:
      'An organization with another external_reference has this account number. Nothing ' +
      'was changed.',
    fix: 'Check which of the two references is right for the account number.',
  },
  contact_conflict: {
    status: 409,
    title: 'Contact e-mail linked to another reference',
    happened:
      'A contact of this organization with another external_reference has this e-mail address. ' +
      'Nothing was changed.',
    fix: 'Send the reference that the contact has, or another e-mail address.',
  },
  conflict: {
    status: 409,
    title: 'Change collides with another organization',
    happened:
      'The name or reference belongs to another organization, or the account number is linked ' +
      'to another one\'s reference. Nothing was changed.',
    fix: 'Read the other organization and decide which of the two shall have the value.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    happened: 'The JSON body is larger than 5 MiB.',
    fix: 'Send smaller batches.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    happened: 'The file is larger than 15 MiB. Nothing was attached.',
    fix: 'Send a smaller file, for example by compressing its images.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Media type not supported',
    happened:
      'The Content-Type or Content-Encoding is not one that this operation reads, or an ' +
      'uploaded file is not what it says it is.',
    fix:
      'Send JSON as application/json in UTF-8. Uploads are multipart/form-data with a PDF, ' +
      'PNG, JPEG or WebP file.',
  },
  validation_error: {
    status: 422,
    title: 'Request not valid',
    happened: 'The request has faults: detail lists each with its place, its kind and a remark.',
    fix: 'Correct every entry of detail. Retrying unchanged will fail again.',
  },
  product_inactive: {
    status: 422,
    title: 'Product not offered',
    happened: 'The company does not offer this product at present.',
    fix: 'List the products and use one of those.',
  },
  coverage_unavailable: {
    status: 422,
    title: 'Area not covered',
    happened: 'No appraiser covers this county for this product.',
    fix: 'Ask for a quote all the same: the office may find somebody. Show no fee.',
  },
  file_rejected: {
    status: 422,
    title: 'File rejected',
    happened: 'The scanner found something harmful in the file. Nothing was attached.',
    fix: 'Have the file checked at its source. Sending it again will fail again.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    happened: 'This API key has used up its requests for now.',
    fix: 'Wait as long as Retry-After says, and spread requests over time.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    happened: 'The headers, the address included, are larger than 16 KiB.',
    fix: 'Leave out what this service does not read, such as cookies of other pages.',
  },
  internal_error: {
    status: 500,
    title: 'Our fault',
    happened: 'Something went wrong on our side.',
    fix:
      'Retry later, with the same Idempotency-Key where there is one. Tell us the ' +
      'request_id if it stays.',
  },
  scanner_unavailable: {
    status: 503,
    title: 'File could not be scanned',
    happened: 'The scanner gave no verdict on the file. Nothing was attached.',
    fix: 'Wait as long as Retry-After says and upload the file again.',
  },
  service_unavailable: {
    status: 503,
    title: 'Service unavailable',
    happened: 'The service cannot answer now.',
    fix:
      'Wait as long as Retry-After says and retry, with the same Idempotency-Key where ' +
      'there is one.',
  },
} as const satisfies Record<string, ErrorCodeEntry>

export type ErrorCode = keyof typeof errorCodes

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** Codes without repetition, in the order of the list above. */
export function inListOrder(codes: readonly ErrorCode[]): ErrorCode[] {
  const wanted = new Set<string>(codes)
  return Object.keys(errorCodes).filter((code): code is ErrorCode => wanted.has(code))
}

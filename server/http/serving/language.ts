import { type Language, languages } from '@pool/contract/base/languages'
import type { FastifyRequest } from 'fastify'

/** The language that a caller prefers, by `accept-language`. Undefined for none of ours. */
export const preferredLanguage = (request: FastifyRequest): Language | undefined =>
  languages.find((language) => language === request.language([...languages]))

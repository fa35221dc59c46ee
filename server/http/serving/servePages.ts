import { join } from 'node:path'
import fastifyAccepts from '@fastify/accepts'
import fastifyStatic from '@fastify/static'
import {
  isLanguage,
  LANGUAGE_PARAMETER,
  type Language,
  languages,
} from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from './errors.ts'
import { preferredLanguage } from './language.ts'
import { encodings, type Page, type Pages } from './pages.ts'

/** Serves the web app's files, and a document for every path outside the API. */
export const servePages = async (app: FastifyInstance, pages: Pages): Promise<void> => {
  await app.register(fastifyAccepts)
  if (pages.directory !== undefined) await serveFiles(app, pages.directory)
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !/^\/(api|assets)(\/|$)/.test(request.url)
    const page = isPage ? pages.find(pathOf(request.url), languageOf(request)) : undefined
    if (page === undefined)
      return reply
        .status(404)
        .type('application/json')
        .send(JSON.stringify(failure(refusal('routeNotFound'))))
    return sendPage(request, reply, page)
  })
}

const serveFiles = async (app: FastifyInstance, directory: string): Promise<void> => {
  await app.register(fastifyStatic, {
    root: directory,
    serve: true,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.{html,webmanifest,br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) =>
      reply.header(
        'cache-control',
        path.startsWith(join(directory, 'assets'))
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      ),
  })
}

const sendPage = async (request: FastifyRequest, reply: FastifyReply, page: Page) => {
  reply
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-language, accept-encoding')
    .header('etag', page.etag)
  if (request.headers['if-none-match'] === page.etag) return reply.status(304).send()
  reply.type(page.type)
  const encoding = encodings.find((known) => request.encoding([...encodings, 'identity']) === known)
  return encoding
    ? reply.header('content-encoding', encoding).send(await page.compressed(encoding))
    : reply.send(page.plain)
}

/** Language of the URL, else of the browser, else the first. */
const languageOf = (request: FastifyRequest): Language => {
  const asked = (request.query as Readonly<Record<string, unknown>>)[LANGUAGE_PARAMETER]
  return isLanguage(asked) ? asked : (preferredLanguage(request) ?? languages[0])
}

const pathOf = (url: string): string => url.split('?')[0] ?? '/'

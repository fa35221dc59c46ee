import { prerender } from 'react-dom/static'
import { type EntryContext, ServerRouter } from 'react-router'

/** Writes the HTML of the prerendered pages, once, while the web app is built; nothing of it runs on the server. */
export default async function writePage(request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> {
  const { prelude } = await prerender(<ServerRouter context={context} url={request.url} />)
  headers.set('content-type', 'text/html')
  return new Response(prelude, { status, headers })
}

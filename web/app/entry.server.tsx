import { prerender } from 'react-dom/static'
import { type EntryContext, ServerRouter } from 'react-router'
import { StillPage } from './StillPage.ts'

// The document for pages that are not prerendered is written at the address of the landing page,
// but needs React.
const isStill = ({ isSpaMode, staticHandlerContext }: EntryContext): boolean =>
  !isSpaMode && staticHandlerContext.matches.some(({ route }) => route.handle?.still === true)

/**
 * Writes the HTML of the prerendered pages, once, while the web app is built; nothing of it runs on
 * the server.
 */
export default async function writePage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { prelude } = await prerender(
    <StillPage value={isStill(context)}>
      <ServerRouter context={context} url={request.url} />
    </StillPage>,
  )
  headers.set('content-type', 'text/html')
  return new Response(prelude, { status, headers })
}

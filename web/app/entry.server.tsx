import { prerender } from 'react-dom/static'
import { type EntryContext, ServerRouter } from 'react-router'
import { StillPage } from './StillPage.ts'

// The SPA fallback is written at the landing page's path, but needs React.
const isStill = ({ isSpaMode, staticHandlerContext }: EntryContext): boolean =>
  !isSpaMode && staticHandlerContext.matches.some(({ route }) => route.handle?.still === true)

/** Writes the HTML of the prerendered pages during the build. */
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

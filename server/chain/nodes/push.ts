import { z } from 'zod'

/** Milliseconds before a lost connection is tried again. */
const AGAIN_AFTER = 10_000

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_subscribe',
  params: ['newHeads'],
})
const news = z.object({ method: z.literal('eth_subscription') })

/** Characters of a message. The header of a block has some 2,000. */
const MOST_CHARACTERS = 65_536

const isNews = (data: unknown): boolean => {
  if (typeof data !== 'string' || data.length > MOST_CHARACTERS) return false
  try {
    return news.safeParse(JSON.parse(data)).success
  } catch {
    return false
  }
}

/**
 * Calls back for each new block that an EVM node pushes over a websocket, until `ended`. It only
 * shortens the pause between two looks: nothing that it says is believed.
 */
export const listenForBlocks = (url: string, onBlock: () => void, ended: AbortSignal): void => {
  if (ended.aborted) return
  const socket = new WebSocket(url)
  const close = () => socket.close()
  ended.addEventListener('abort', close)
  socket.addEventListener('open', () => socket.send(SUBSCRIBE))
  socket.addEventListener('message', ({ data }) => {
    if (isNews(data)) onBlock()
  })
  socket.addEventListener('close', () => {
    ended.removeEventListener('abort', close)
    if (ended.aborted) return
    setTimeout(() => listenForBlocks(url, onBlock, ended), AGAIN_AFTER).unref()
  })
}

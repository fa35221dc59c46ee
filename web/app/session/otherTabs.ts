import { stored } from '../storage.ts'

/** The channel, and the key of storage where browsers have no channels. */
const NAME = 'idle-clock'

/**
 * Tells the other tabs a moment of activity in milliseconds, and hears theirs. Also in
 * theme/idle.js. Some browsers throw at a channel where a site may store nothing.
 */
export const otherTabs = (onMoment: (moment: number) => void) => {
  try {
    const channel = new BroadcastChannel(NAME)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => onMoment(Number(data))
    return {
      tell: (moment: number) => channel.postMessage(moment),
      close: () => channel.close(),
    }
  } catch {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === NAME) onMoment(Number(newValue))
    }
    window.addEventListener('storage', onStorage)
    return {
      tell: (moment: number) => stored.write(NAME, String(moment)),
      close: () => window.removeEventListener('storage', onStorage),
    }
  }
}

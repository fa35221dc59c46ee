import { asRecords, asText } from '../../api/http/reading.ts'
import { storedInTab } from '../../storage.ts'
import type { FoundLine } from './usePaletteSearch.ts'

const keyOf = (userId: string): string => `recent ${userId}`
/** The lines that are remembered. */
const MOST = 6

/** The lines that this user last opened in this tab, newest first. */
export const readRecent = (userId: string): readonly FoundLine[] => {
  try {
    const stored = asRecords(JSON.parse(storedInTab.read(keyOf(userId)) ?? '[]')) ?? []
    return stored.flatMap(({ path, label, hint }) => {
      const [to, name] = [asText(path), asText(label)]
      return to?.startsWith('/') && name
        ? [{ kind: 'recent' as const, path: to, label: name, hint: asText(hint) ?? '' }]
        : []
    })
  } catch {
    return []
  }
}

export const rememberRecent = (userId: string, { path, label, hint = '' }: FoundLine): void => {
  const others = readRecent(userId).filter((each) => each.path !== path)
  const next = [{ path, label, hint }, ...others].slice(0, MOST)
  storedInTab.write(keyOf(userId), JSON.stringify(next))
}

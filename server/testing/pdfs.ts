/** Reads a PDF with a library other than the one that writes it. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

type Node = { readonly role?: string; readonly children?: readonly Node[] }

/** The roles of the structure's elements, in the order of reading. */
const rolesIn = ({ role, children = [] }: Node): string[] => [
  ...(role === undefined ? [] : [role]),
  ...children.flatMap(rolesIn),
]

export const readPdf = async (bytes: Uint8Array) => {
  // The library takes the bytes away from their owner.
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await loading.promise
  const pages: { readonly texts: string[]; readonly roles: string[] }[] = []
  for (let n = 1; n <= document.numPages; n += 1) {
    const page = await document.getPage(n)
    const { items } = await page.getTextContent()
    const texts = items.flatMap((item) => ('str' in item ? [item.str.trim()] : [])).filter(Boolean)
    const tree = (await page.getStructTree()) as Node | null
    pages.push({ texts, roles: tree ? rolesIn(tree) : [] })
  }
  const { info } = (await document.getMetadata()) as {
    info: { readonly Title?: string; readonly Language?: string }
  }
  // A map, against its type.
  const marked = (await document.getMarkInfo()) as unknown as ReadonlyMap<string, boolean> | null
  await loading.destroy()
  return { pages, info, isTagged: marked?.get('Marked') === true }
}

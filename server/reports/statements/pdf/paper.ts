/**
 * Pages of text with tags for screen readers, written as they fill (docs/decisions/058). Text is
 * placed sign by sign: pdfkit's own layout of a text takes ten times as long.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Language } from '@pool/contract/base/languages'
import PDFDocument from 'pdfkit'

/** A4, lying, in points. */
export const PAGE = { width: 842, height: 595, margin: 42 } as const

const fontFile = (name: string): Buffer =>
  readFileSync(
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`)),
  )
const FONTS = { regular: fontFile('400Regular'), bold: fontFile('600SemiBold') } as const
type FontName = keyof typeof FONTS

/** Red, green and blue. All have more than seven times the contrast of white but the line. */
const COLORS = {
  ink: '0.08 0.1 0.11',
  soft: '0.3 0.34 0.36',
  accent: '0.03 0.28 0.33',
  line: '0.78 0.82 0.83',
} as const

type Reference = { data: unknown; readonly end: () => void }
type EmbeddedFont = {
  readonly id: string
  readonly ref: () => Reference
  readonly font: {
    readonly hasGlyphForCodePoint: (sign: number) => boolean
    readonly glyphForCodePoint: (sign: number) => {
      readonly id: number
      readonly advanceWidth: number
    }
  }
  readonly subset: { readonly includeGlyph: (id: number) => number }
  /** Thousandths of the size for a unit of the font. */
  readonly scale: number
  /** By the place of a glyph in the file: its width, and the text that it stands for. */
  readonly widths: number[]
  readonly unicode: number[][]
}

/** Parts of pdfkit that its types leave out. */
type Inside = {
  push: (bytes: Uint8Array | null) => boolean
  readonly ref: (data: unknown) => Reference
  readonly _font: EmbeddedFont
  readonly _root: {
    readonly data: { readonly Pages: { readonly data: { readonly Kids: unknown[] } } }
  }
  readonly page: {
    readonly fonts: Record<string, Reference>
    readonly structParentTreeKey: number
    readonly dictionary: Reference
  }
  readonly getStructParentTree: () => {
    readonly get: (key: number) => unknown[]
    readonly add: (key: number, value: unknown) => void
  }
}

type Document = InstanceType<typeof PDFDocument>
export type Content = ReturnType<Document['markStructureContent']>
export type Element = ReturnType<Document['struct']>

export type Style = {
  readonly font?: FontName
  readonly size: number
  readonly color?: keyof typeof COLORS
  readonly align?: 'left' | 'right'
}

/** Bytes that grow by small parts. */
const openBytes = () => {
  const full: Buffer[] = []
  let stage = Buffer.allocUnsafe(65_536)
  let used = 0
  return {
    add: (bytes: Uint8Array): void => {
      if (used + bytes.length > stage.length) {
        full.push(stage.subarray(0, used))
        stage = Buffer.allocUnsafe(Math.max(65_536, bytes.length))
        used = 0
      }
      stage.set(bytes, used)
      used += bytes.length
    },
    take: (): Buffer => {
      const bytes = Buffer.concat([...full, stage.subarray(0, used)])
      full.length = 0
      used = 0
      return bytes
    },
  }
}

/** The scripts whose signs stand side by side. Those of others join, or change their order. */
const WRITTEN =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u

/**
 * Each sign's glyph and width of a font, looked up once. A sign has one glyph: the layout of pdfkit
 * would split some letters, whose parts have no text.
 */
const openSigns = (font: EmbeddedFont) => {
  const known = new Map<string, { readonly hex: string; readonly width: number }>()
  return (sign: string) => {
    const found = known.get(sign)
    if (found) return found
    const point = sign.codePointAt(0) ?? 0
    const { id, advanceWidth } = font.font.glyphForCodePoint(point)
    const place = font.subset.includeGlyph(id)
    const width = advanceWidth * font.scale
    font.widths[place] ??= width
    font.unicode[place] ??= [point]
    const made = { hex: place.toString(16).padStart(4, '0'), width }
    known.set(sign, made)
    return made
  }
}

type About = { readonly language: Language; readonly title: string; readonly madeAt: Date }

/** Opens a document without a page. The same calls make the same bytes. */
export const openPaper = ({ language, title, madeAt }: About) => {
  // Long: the strokes on a document are short functions that share its state.
  const options = {
    autoFirstPage: false,
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: title, CreationDate: madeAt },
  }
  // Its types know no PDF/UA.
  const document = new PDFDocument(options as PDFKit.PDFDocumentOptions)
  const inside = document as unknown as Inside
  const bytes = openBytes()
  bytes.add(document.read() as Uint8Array)
  inside.push = (part) => {
    if (part) bytes.add(part)
    return true
  }
  const fonts = new Map(
    Object.entries(FONTS).map(([name, file]) => {
      document.registerFont(name, file as unknown as string).font(name)
      return [name, { font: inside._font, signs: openSigns(inside._font) }] as const
    }),
  )
  const fontOf = (name: FontName) => {
    const font = fonts.get(name)
    if (!font) throw new Error(`no font ${name}`)
    return font
  }
  let pages = 0

  /** Moves a full page's elements from memory to the file. */
  const settle = (): void => {
    if (pages === 0) return
    const tree = inside.getStructParentTree()
    const key = inside.page.structParentTreeKey
    const elements = inside.ref(tree.get(key))
    elements.end()
    elements.data = null
    tree.add(key, elements)
  }

  const width = (text: string, { font = 'regular', size }: Style): number => {
    const { signs } = fontOf(font)
    let sum = 0
    for (const sign of text) sum += signs(sign).width
    return (sum * size) / 1_000
  }

  /** Writes a line. `y` is its base, from the top; `x` its left or its right end. */
  const write = (text: string, x: number, y: number, style: Style): void => {
    const { font = 'regular', size, color = 'ink', align = 'left' } = style
    const { font: embedded, signs } = fontOf(font)
    inside.page.fonts[embedded.id] ??= embedded.ref()
    const left = align === 'left' ? x : x - width(text, style)
    let hex = ''
    // A space parts it from the next text for those who hear it.
    for (const sign of `${text} `) hex += signs(sign).hex
    document.addContent(
      `${COLORS[color]} rg BT 1 0 0 -1 ${left.toFixed(2)} ${y.toFixed(2)} Tm /${embedded.id} ${size} Tf <${hex}> Tj ET`,
    )
  }

  const contentOf = (tag: string, draw: () => void): Content => {
    const content = document.markStructureContent(tag)
    draw()
    document.endMarkedContent()
    return content
  }

  /** True for a text of signs that the font has, and that read well side by side. */
  const canWrite = (text: string): boolean => {
    const { font } = fontOf('bold').font
    return (
      WRITTEN.test(text) &&
      [...text].every((sign) => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))
    )
  }

  return {
    width,
    write,
    canWrite,
    pages: () => pages,
    newPage: (): void => {
      settle()
      const last = pages === 0 ? null : inside.page
      document.addPage()
      // Its page tree needs the number alone.
      if (last) last.dictionary.data = null
      pages += 1
    },
    /** An element of the structure. It is written once it has a parent and has ended. */
    element: (
      tag: string,
      children: readonly (Content | Element)[] | null = null,
      scope?: 'Column' | 'Row',
    ): Element =>
      children === null
        ? document.struct(tag)
        : document.struct(tag, scope ? ({ scope } as object) : {}, [...children]),
    root: (element: Element): void => void document.addStructure(element),
    contentOf,
    /** A text that is an element by itself. */
    textOf: (tag: string, draw: () => void): Element =>
      document.struct(tag, {}, [contentOf(tag, draw)]),
    /** Draws what screen readers leave out. */
    besides: (draw: () => void): void => {
      document.markContent('Artifact', { type: 'Pagination' })
      draw()
      document.endMarkedContent()
    },
    line: (y: number, from: number, to: number, color: keyof typeof COLORS): void =>
      void document.addContent(`${COLORS[color]} RG 0.6 w ${from} ${y} m ${to} ${y} l S`),
    take: bytes.take,
    /** Puts the last page first, and ends the document. */
    endWithFirst: (): void => {
      settle()
      const { Kids: all } = inside._root.data.Pages.data
      all.unshift(all.pop())
      document.end()
    },
  }
}
export type Paper = ReturnType<typeof openPaper>

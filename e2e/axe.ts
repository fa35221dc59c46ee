import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

/** The minified file: 580 kB to send to each page, and not 1,305. */
const SOURCE = readFileSync(
  join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'),
  'utf8',
)

/** The rules about colours, the only ones that another scheme can break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'] as const

/** Runs in the page: the faults by all rules but these. */
const judgeRest = async ([parts, without]: readonly [
  readonly string[],
  readonly string[],
]): Promise<readonly string[]> => {
  const { axe: onPage } = window as unknown as { axe: typeof axe }
  const { violations } = await onPage.run(parts.length > 0 ? { include: [...parts] } : document, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/**
 * Runs in the page: judges one text of each new colouring, and all of one that is hidden there. A
 * colouring is a text's colour and size, the classes around it and all colours behind it.
 */
const judgeColours = async ([parts, rules, known]: readonly [
  readonly string[],
  readonly string[],
  readonly number[],
]) => {
  // Long: it runs in the page, so its steps cannot stand outside.
  const { axe: onPage } = window as unknown as { axe: typeof axe }
  const hash = (text: string): number => {
    let [low, high] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at += 1) {
      low = Math.imul(low ^ text.charCodeAt(at), 0x9e3779b1)
      high = Math.imul(high ^ text.charCodeAt(at), 0x5f356495)
    }
    return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
  }
  const behind = new Map<Element, string>()
  /** The colours that an element and those around it draw behind a text. */
  const drawnBy = (element: Element): string => {
    const before = behind.get(element)
    if (before !== undefined) return before
    const style = getComputedStyle(element)
    const own = [
      style.backgroundColor.replace('rgba(0, 0, 0, 0)', ''),
      style.backgroundImage.replace('none', ''),
      style.opacity.replace(/^1$/, ''),
      style.filter.replace('none', ''),
      style.mixBlendMode.replace('normal', ''),
    ].join('')
    const outer = element.parentElement ? drawnBy(element.parentElement) : ''
    const drawn = own === '' ? outer : `${outer}/${own}`
    behind.set(element, drawn)
    return drawn
  }
  const named = (element: Element | null | undefined): string =>
    element ? `${element.localName}.${element.getAttribute('class')}` : ''
  const colouringOf = (element: Element): number => {
    const style = getComputedStyle(element)
    const { right, bottom } = element.getBoundingClientRect()
    const control = element instanceof HTMLLabelElement ? element.control : element
    return hash(
      [
        named(element),
        named(element.parentElement),
        named(element.parentElement?.parentElement),
        // Axe spares what is off, and what is out of the page.
        control?.closest(':disabled, [aria-disabled=true]') !== null,
        right < 0 || bottom < 0,
        style.color,
        style.fontSize,
        style.fontWeight,
        style.textShadow,
        drawnBy(element),
      ].join(';'),
    )
  }
  const before = new Set(known)
  // Texts that were hidden in this page before, at these widths and beside as many dialogs.
  const hidden =
    (window as unknown as { hidden?: WeakMap<Element, Set<string>> }).hidden ??
    new WeakMap<Element, Set<string>>()
  Object.assign(window, { hidden })
  const place = `${innerWidth};${document.querySelectorAll('[role=dialog]').length}`
  const roots = parts.length > 0 ? document.querySelectorAll(parts.join()) : [document.body]
  const texts = [...roots]
    .flatMap((root) => [root, ...root.querySelectorAll('*')])
    .filter(
      (element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        (element.matches('input, select, textarea') ||
          [...element.childNodes].some(
            (node) => node instanceof Text && node.data.trim().length > 0,
          )),
    )
    .map((element) => {
      const colouring = colouringOf(element)
      return { element, colouring, here: `${colouring};${place}` }
    })
    .filter(
      ({ element, colouring, here }) => !before.has(colouring) && !hidden.get(element)?.has(here),
    )
  const faults: string[] = []
  /** Judges these elements, and returns those that others hide. */
  const judge = async (elements: readonly Element[]): Promise<ReadonlySet<Element>> => {
    if (elements.length === 0) return new Set()
    const { violations, incomplete } = await onPage.run(
      { include: [...elements] },
      {
        runOnly: { type: 'rule', values: [...rules] },
        resultTypes: ['violations', 'incomplete'],
        elementRef: true,
      },
    )
    for (const { id, nodes } of violations)
      faults.push(`${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    const covered = incomplete
      .flatMap(({ nodes }) => nodes)
      .filter(({ any, none }) =>
        [...any, ...none].some(({ data }) =>
          /overlap|obscur|viewport/i.test(String(data?.messageKey)),
        ),
      )
    return new Set(covered.flatMap(({ element }) => element ?? []))
  }
  const samples = new Map(texts.map(({ element, colouring }) => [colouring, element]))
  const first = await judge([...samples.values()])
  const second = await judge(
    texts.flatMap(({ element, colouring }) => {
      const sample = samples.get(colouring)
      return sample && sample !== element && first.has(sample) ? element : []
    }),
  )
  const isCovered = (element: Element) => first.has(element) || second.has(element)
  for (const { element, here } of texts)
    if (isCovered(element)) hidden.set(element, (hidden.get(element) ?? new Set()).add(here))
  const judged = texts.flatMap(({ element, colouring }) => (isCovered(element) ? [] : colouring))
  return { faults, judged: faults.length > 0 ? [] : judged }
}

/** The colourings that axe has judged in this worker, without a fault. */
const judged = new Set<number>()

/** Injects axe once into a page. */
const inject = async (page: Page): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
}

/** The violations of the rules about colours that axe finds on a page or parts of it. */
export const colourViolations = async (
  page: Page,
  ...parts: readonly string[]
): Promise<readonly string[]> => {
  await inject(page)
  const found = await page.evaluate(judgeColours, [parts, OF_COLOURS, [...judged]] as const)
  for (const colouring of found.judged) judged.add(colouring)
  return found.faults
}

/** The violations of all rules. */
export const violations = async (
  page: Page,
  ...parts: readonly string[]
): Promise<readonly string[]> => {
  await inject(page)
  const found = await page.evaluate(judgeRest, [parts, OF_COLOURS] as const)
  return [...found, ...(await colourViolations(page, ...parts))]
}

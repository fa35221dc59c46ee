export type Size = { readonly width: number; readonly height: number }

/** The two sizes at which screens are looked at. */
export const DESK: Size = { width: 1280, height: 800 }
export const PHONE: Size = { width: 375, height: 812 }

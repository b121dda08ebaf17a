export const markPaths = { frame: "M2 2h19v36H2z", panel: "M21 2v36L7 32V8z", light: "M21 38l10 2v-1L21 20z" } as const;

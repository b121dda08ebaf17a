/** The kit for dialogs behind the login: Mantine, pointed at our own tokens. Never imported by a public page. */
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "./mantine.css";
import { createTheme, MantineProvider, Modal } from "@mantine/core";
import type { ReactNode } from "react";

const theme = createTheme({
  fontFamily: "Public Sans, Helvetica Neue, Arial, sans-serif",
  headings: {
    fontFamily: "League Gothic, Arial Narrow, sans-serif",
    fontWeight: "400",
    sizes: { h1: { fontSize: "3rem", lineHeight: "1" }, h2: { fontSize: "1.5rem", lineHeight: "1" } },
  },
  defaultRadius: "sm",
  radius: { xs: "2px", sm: "4px", md: "8px", lg: "8px", xl: "8px" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2rem" },
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "1rem", lg: "1.1875rem", xl: "1.5rem" },
  breakpoints: { xs: "24em", sm: "48em", md: "64em", lg: "80em", xl: "100em" },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: false,
  components: {
    Modal: Modal.extend({
      defaultProps: {
        radius: "md",
        padding: 24,
        size: "28rem",
        centered: true,
        overlayProps: { color: "#140e1c", backgroundOpacity: 0.55, blur: 0 },
        // Locking the page's scroll would write a style element; the overlay covers it anyway.
        lockScroll: false,
        // A dialog's head is no banner of the page.
        attributes: { header: { role: "presentation" } },
        closeButtonProps: { "aria-label": "Close" },
        transitionProps: { duration: 160 },
      },
    }),
  },
});

/**
 * Gives Mantine's parts our look. Wraps a guarded area; the scheme follows the system, as on every page.
 * The variables stand in kit.css instead of a style element, which the page's content policy would refuse.
 */
export function MantineRoot({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}

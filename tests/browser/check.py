"""Opens pages in a browser without a screen and without a network, and looks at what a reader would."""

import json
import pathlib
import sys
import unittest

import axe_playwright_python
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGES = pathlib.Path(sys.argv.pop(1))
TUNINGS = ["tuning", "bisection", "hostile", "many"]
BATCHES = ["batch", "large-batch", "shipped"]
FLEETS = ["fleet", "variants"]
# The large ones are made of the same templates; what takes a while is looked at where there are few rows.
SMALL = ["tuning", "bisection", "hostile", "batch", "fleet", "variants", "inspect", "compare"]
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# As tests/browser/main.rs has it.
HOSTILE = """</script><img src=x onerror="document.title='gone'">&amp;'\""""
INJECTION = """
document.body.insertAdjacentHTML("beforeend", "<img src=data:, onerror='document.title=1'>");
const script = document.createElement("script");
script.textContent = "document.title = 2";
document.body.append(script);
"""
# Clicks the first element that a selector finds, and counts the texts that are read and the rows that are put into a table.
COUNTED_CLICK = """
const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
let read = 0;
Object.defineProperty(Node.prototype, "textContent", { ...text, get() { read += 1; return text.get.call(this); } });
const observer = new MutationObserver(() => {});
observer.observe(document.querySelector(arguments[1]), { childList: true });
document.querySelector(arguments[0]).click();
const put = observer.takeRecords().reduce((sum, record) => sum + record.addedNodes.length, 0);
observer.disconnect();
Object.defineProperty(Node.prototype, "textContent", text);
return [read, put];
"""
PHONE, NARROW, DESK = (390, 700), (500, 800), (1280, 900)
SECTIONS = ["optimum", "bottleneck", "near", "times", "proof", "heat", "timeline", "formulas", "configurations"]

# Boxes that scroll hold what is wider; everything else that is seen is within the window, and nothing that is cut off is hidden.
CUT_OFF = """
const cut = [];
for (const one of document.querySelectorAll("body *")) {
  const box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const told = `${one.tagName} ${one.textContent.trim().slice(0, 60)}`;
  if (!box.width || !one.textContent.trim() || one.closest("title, desc, script, .skip")) continue;
  const scrolls = one.closest(".scroll, pre");
  if (!scrolls && (box.right > innerWidth + 0.5 || box.left < -0.5)) cut.push(`outside: ${told}`);
  const hides = ["hidden", "clip"].includes(style.overflowX) || style.textOverflow === "ellipsis";
  if (hides && one.scrollWidth > one.clientWidth + 1 && !one.closest("svg")) cut.push(`hidden: ${told}`);
  const scroller = ["auto", "scroll"].includes(style.overflowX);
  if (scroller && one.scrollWidth > one.clientWidth && one.tabIndex < 0) cut.push(`cannot be scrolled: ${told}`);
}
return cut;
"""
BARS = "return Array.from(document.querySelectorAll(arguments[0]), (bar) => Number(bar.dataset.count)).reduce((a, b) => a + b, 0)"
NO_CLIPBOARD = """
navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
document.execCommand = () => false;
"""

# What is drawn in SVG is no text to axe-core: its contrast with what is behind it is looked at here.
CONTRAST = """
const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                       return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const parse = (text) => (text.match(/[0-9.]+/g) || []).map(Number).slice(0, 3);
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const page = parse(getComputedStyle(document.body).backgroundColor);
const poor = [];
for (const text of document.querySelectorAll("svg text")) {
  const box = text.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  let ground = page;
  for (const shape of text.ownerSVGElement.querySelectorAll("rect")) {
    const at = shape.getBoundingClientRect(), fill = getComputedStyle(shape).fill;
    if (fill !== "none" && at.left <= x && x <= at.right && at.top <= y && y <= at.bottom) ground = parse(fill);
  }
  const found = ratio(parse(getComputedStyle(text).fill), ground);
  if (found < 4.5) poor.push(`${text.textContent.trim()}: ${found.toFixed(2)}`);
}
for (const shape of document.querySelectorAll("svg.timeline path[class]:not(.axis):not(.break):not(.latency)")) {
  const found = ratio(parse(getComputedStyle(shape).fill), page);
  if (found < 3) poor.push(`${shape.getAttribute("class")}: ${found.toFixed(2)}`);
}
for (const frame of document.querySelectorAll('svg polyline[stroke-width="3"]')) {
  const box = frame.getBBox();
  const within = (rect) => { const at = rect.getBBox(); return at.x <= box.x && at.y <= box.y && at.x + at.width >= box.x + box.width && at.y + at.height >= box.y + box.height; };
  const cells = [...frame.ownerSVGElement.querySelectorAll("rect")].filter((rect) => within(rect) && getComputedStyle(rect).fill !== "none");
  const behind = cells.length ? parse(getComputedStyle(cells.pop()).fill) : page;
  const found = ratio(parse(getComputedStyle(frame).stroke), behind);
  if (found < 3) poor.push(`the mark of the optimum: ${found.toFixed(2)}`);
}
return poor;
"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        cls.browser.execute_cdp_cmd("Network.enable", {})
        cls.browser.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def open(self, name, size=DESK, scheme="light"):
        width, height = size
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        self.browser.get((PAGES / name / "index.html").as_uri())

    def run_script(self, script):
        return self.browser.execute_script(script)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def column(self, table, number):
        """The texts of a table's column."""
        rows = "document.querySelector(arguments[0]).tBodies[0].rows"
        script = f"return Array.from({rows}, (row) => row.cells[arguments[1]].textContent.trim())"
        return self.browser.execute_script(script, table, number)

    def open_details(self):
        self.run_script("document.querySelectorAll('details').forEach((one) => (one.open = true))")

    def facts(self, selector):
        """Names and values of a list of facts."""
        texts = lambda one: [one.find_element(By.TAG_NAME, name).text for name in ("dt", "dd")]
        return dict(texts(one) for one in self.all(selector))

    def test_nothing_is_wrong_and_nothing_is_fetched(self):
        for name in TUNINGS + BATCHES + FLEETS + ["compare"]:
            with self.subTest(name):
                self.open(name)
                self.assertEqual(self.browser.get_log("browser"), [])
                fetched = self.run_script("return performance.getEntriesByType('resource').map((one) => one.name)")
                self.assertEqual([url for url in fetched if not url.startswith("data:")], [])

    def test_a_strangers_words_are_words(self):
        for name in ["hostile", "batch"]:
            self.open(name)
            self.assertEqual(self.all("img"), [])
            self.assertNotEqual(self.browser.title, "gone")
            self.assertIn(HOSTILE, self.run_script("return document.body.textContent"))
            # Even if something were not escaped, no script but the page's own runs.
            self.run_script(INJECTION)
            self.assertNotIn(self.browser.title, ["1", "2"])
            self.browser.get_log("browser")

    def test_accessibility(self):
        for name in SMALL:
            for scheme in ["light", "dark"]:
                with self.subTest(name, scheme=scheme):
                    self.open(name, scheme=scheme)
                    self.open_details()
                    # Rows beyond these are like them, and axe-core looks at each cell.
                    self.run_script("document.querySelectorAll('tbody tr:nth-child(n+15)').forEach((one) => one.remove())")
                    self.browser.execute_script(AXE)
                    found = self.browser.execute_async_script("axe.run({ runOnly: arguments[0] }).then(arguments[1])", RULES)
                    told = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]
                    self.assertEqual(told, [])
                    self.assertEqual(self.run_script(CONTRAST), [])

    def test_both_schemes_differ(self):
        grounds = set()
        for scheme in ["light", "dark"]:
            self.open("tuning", scheme=scheme)
            grounds.add(self.run_script("return getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(grounds), 2)

    def test_a_phone_scrolls_boxes_not_the_page(self):
        for name in SMALL:
            with self.subTest(name):
                self.open(name, PHONE)
                self.open_details()
                self.assertEqual(self.run_script("return document.documentElement.scrollWidth"), PHONE[0])
                if name == "inspect":
                    continue
                wide = self.run_script(
                    "return [...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth)"
                )
                self.assertTrue(wide)

    def test_in_500_pixels_nothing_is_cut_off(self):
        for name in SMALL + ["many"]:
            with self.subTest(name):
                self.open(name, NARROW)
                self.open_details()
                widths = self.run_script("return [document.documentElement.scrollWidth, innerWidth]")
                self.assertLessEqual(*widths)
                self.assertEqual(self.run_script(CUT_OFF), [])

    def test_what_a_line_executes_is_in_view(self):
        for size, scheme in [(PHONE, "light"), (DESK, "light"), (DESK, "print")]:
            with self.subTest(size=size, scheme=scheme):
                self.open("inspect", size, scheme)
                if scheme == "print":
                    self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
                try:
                    outside = """
                    return [...document.querySelectorAll("table.source td.notes")].map((cell) => cell.getBoundingClientRect())
                      .filter((cell) => cell.width && (cell.left < 0 || cell.right > arguments[0])).length"""
                    self.assertEqual(self.browser.execute_script(outside, size[0]), 0)
                    self.assertTrue(self.all("table.source .badge")[0].is_displayed())
                finally:
                    self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_sorted_heads_have_names_on_each_sheet(self):
        self.open("tuning")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        try:
            drawn = """
            const button = document.querySelector("#space thead button");
            return [getComputedStyle(button).display, getComputedStyle(button, "::after").content]"""
            self.assertEqual(self.run_script(drawn), ["contents", "none"])
        finally:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_a_timelines_axis_ends_where_its_lanes_do(self):
        self.open("tuning")
        ends = """
        const picture = document.querySelector("svg.timeline"), right = (one) => one.getBBox().x + one.getBBox().width;
        const lanes = [...picture.querySelectorAll("path:not(.axis):not(.break)")].filter((one) => one.getAttribute("d"));
        return [Math.max(...lanes.map(right)), Math.max(...[...picture.querySelectorAll(".axis")].map(right))]"""
        lanes, axis = self.run_script(ends)
        self.assertAlmostEqual(lanes, axis, delta=0.2)

    def test_the_answer_and_its_bottleneck_come_before_the_proof(self):
        self.open("tuning")
        self.assertEqual([one.get_attribute("id") for one in self.all("main h2")], SECTIONS)
        self.assertEqual([one.get_attribute("href").partition("#")[2] for one in self.all("nav a")], SECTIONS)
        bars = self.run_script("return Array.from(document.querySelectorAll('.servers tbody th'), (one) => one.textContent)")
        self.assertEqual(bars, ["global memory", "local memory", "dispatcher"])
        shares = [float(text.removesuffix(" %")) for text in self.column(".servers", 2)]
        track = self.run_script("return document.querySelector('.servers .track').getBoundingClientRect().width")
        widths = "return Array.from(document.querySelectorAll('.servers rect:not(.track)'), (bar) => bar.getBoundingClientRect().width)"
        for share, width in zip(shares, self.run_script(widths)):
            self.assertAlmostEqual(width, track * share / 100, delta=0.5)

    def test_a_bar_of_a_first_choice_ends_where_the_slowest_of_equal_ones_does(self):
        self.open("compare")
        sections = ["choices", "ranks", "agreement", "apart", "costs"]
        self.assertEqual([one.get_attribute("id") for one in self.all("main h2")], sections)
        self.assertEqual([one.get_attribute("href").partition("#")[2] for one in self.all("nav a")], sections)
        best, worst = ([float(text) for text in self.column(".servers", column)] for column in (2, 4))
        ends = """
        return Array.from(document.querySelectorAll('.servers svg'), (bar) => {
          const [track, first, second] = Array.from(bar.querySelectorAll('rect'), (part) => part.getBoundingClientRect());
          return [first.right - track.left, second.right - track.left, track.width];
        })"""
        bars = self.run_script(ends)
        self.assertEqual(len(bars), 6)
        for fastest, slowest, bar in zip(best, worst, bars):
            self.assertAlmostEqual(bar[0] / bar[2], fastest / max(worst), delta=0.01)
            self.assertAlmostEqual(bar[1] / bar[2], slowest / max(worst), delta=0.01)

    def test_the_histograms_bars_sum_to_the_configurations(self):
        self.open("tuning")
        by = [text for text in self.column("#space", 5) if text]
        bars = [self.browser.execute_script(BARS, f".bars rect.{name}") for name in ("near-1", "near-2", "slower")]
        self.assertEqual(sum(bars), by.count("proof") + by.count("evaluator"))
        near = self.run_script("return Array.from(document.querySelectorAll('#near ~ .scroll tbody tr'), (row) => row.cells[1].textContent)")
        self.assertEqual([str(bars[0]), str(bars[0] + bars[1])], near)
        table = "return Array.from(document.querySelectorAll('#bins tfoot td'), (cell) => Number(cell.textContent.replace(/,/g, '')))"
        self.assertEqual(self.run_script(table), bars)
        # The bars stand on one line, beside one another and within the picture.
        outside = """
        const picture = document.querySelector("svg.bars").getBoundingClientRect();
        return [...document.querySelectorAll("svg.bars rect")].map((bar) => bar.getBoundingClientRect())
          .filter((bar) => bar.left < picture.left || bar.right > picture.right + 0.5 || bar.top < picture.top || !bar.height).length
        """
        for size in [DESK, NARROW, PHONE]:
            self.open("tuning", size)
            self.assertEqual(self.run_script(outside), 0)

    def test_buttons_copy_flags_header_and_json(self):
        permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": permissions})
        self.browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        read = "navigator.clipboard.readText().then(arguments[0], (why) => arguments[0](String(why)))"
        for name in ["tuning", "hostile"]:
            self.open(name)
            buttons = self.all("button[data-copies]")
            self.assertEqual([one.text for one in buttons], ["Copy flags", "Copy header", "Copy JSON"])
            for button in buttons:
                button.click()
                text = self.source(button)
                self.assertEqual(self.browser.execute_async_script(read), text)
            self.assertEqual(self.all(".copied")[0].text, "Copied: JSON.")
            self.assertEqual(json.loads(text)["schema"], "autotune.result/2")
        self.open("tuning")
        flags, header, _ = [self.source(one) for one in self.all("button[data-copies]")]
        facts = self.facts("#optimum ~ dl div")
        self.assertEqual(flags, " ".join(f"-D{name}={facts[name]}" for name in ["WG", "TS", "VEC"]) + "\n")
        self.assertIn(f"#define WG {facts['WG']}\n", header)

    def source(self, button):
        """The text that a button copies."""
        return self.run_script(f"return document.getElementById('{button.get_attribute('data-copies')}').textContent")

    def test_where_nothing_can_be_copied_the_text_is_selected(self):
        self.open("tuning")
        self.run_script(NO_CLIPBOARD)
        button = self.all("button[data-copies]")[1]
        button.click()
        self.assertIn("copy with Ctrl+C", self.all(".copied")[0].text)
        self.assertEqual(self.run_script("return getSelection().toString()").strip(), self.source(button).strip())
        self.assertTrue(self.all("#copy-header")[0].is_displayed())

    def test_paper_has_no_buttons_and_all_that_is_shown(self):
        self.open("tuning")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        try:
            self.assertFalse(any(one.is_displayed() for one in self.all("button[data-copies], nav, .filter")))
            self.assertTrue(self.all("#copy-flags")[0].is_displayed())
            self.assertTrue(self.all("svg.bars")[0].is_displayed())
        finally:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_landmarks_and_headings(self):
        for name in SMALL:
            with self.subTest(name):
                self.open(name)
                for landmark in ["header", "main", "footer", "nav"]:
                    self.assertEqual(len(self.all(landmark)), 1)
                levels = [int(one.tag_name[1]) for one in self.all("h1, h2, h3, h4")]
                self.assertEqual(levels.count(1), 1)
                self.assertTrue(all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels)
                for link in self.all("nav a"):
                    self.assertEqual(len(self.all(link.get_attribute("href").partition("index.html")[2])), 1)
                self.open_details()
                for picture in self.all("svg[role=img]"):
                    self.assertGreater(len(picture.accessible_name), 10)

    def test_a_table_is_sorted_with_the_keyboard(self):
        self.open("tuning")
        shown = self.column("#space", 3)
        ticks = [int(text.replace(",", "")) for text in shown if text]
        self.assertEqual(len(ticks), 216)
        self.assertEqual(ticks, sorted(ticks))
        head = self.all("#space thead th")[3]
        # From the filter's box the keyboard goes on to the table's box, and to the heads one by one.
        self.all("#words")[0].click()
        for _ in range(5):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
        focused = self.browser.switch_to.active_element
        self.assertEqual((focused.tag_name, focused.text), ("button", "ticks"))
        self.assertNotEqual(focused.value_of_css_property("outline-style"), "none")
        focused.send_keys(Keys.ENTER)
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")
        focused.send_keys(Keys.SPACE)
        self.assertEqual(head.get_attribute("aria-sort"), "descending")
        self.assertEqual(self.column("#space", 3), shown[: len(ticks)][::-1] + [""] * (len(shown) - len(ticks)))
        self.all("#space thead th button")[0].send_keys(Keys.ENTER)
        sorts = [one.get_attribute("aria-sort") for one in self.all("#space thead th")]
        self.assertEqual(sorts, ["ascending"] + [None] * (len(sorts) - 1))
        values = [int(text) for text in self.column("#space", 0)]
        self.assertEqual(values, sorted(values))

    def test_large_tables_are_sorted_and_filtered(self):
        for name, table, rows in [("many", "#space", 10_000), ("large-batch", "#jobs", 3_000)]:
            with self.subTest(name):
                self.open(name)
                self.assertEqual(len(self.column(table, 0)), rows)
                # A row is read before the sort, not in each comparison, and put once.
                read, put = self.browser.execute_script(COUNTED_CLICK, f"{table} thead button", f"{table} tbody")
                self.assertEqual(put, rows)
                self.assertLessEqual(read, 2 * rows)
        box = self.all("#words")[0]
        box.send_keys("VOLTA proved")
        visible = self.run_script("return Array.from(document.querySelectorAll('#jobs tbody tr:not([hidden])'), (row) => row.textContent)")
        self.assertTrue(visible and all("volta" in row and "proved" in row for row in visible))
        self.assertEqual(self.all(".filter output")[0].text, f"{len(visible)} of 3000 rows")
        box.send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
        self.assertEqual(self.run_script("return document.querySelectorAll('#jobs tbody tr[hidden]').length"), 0)

    def test_a_batch_has_a_matrix_and_says_what_failed(self):
        self.open("batch")
        heads = [one.text for one in self.all(".matrix thead th")]
        self.assertEqual(heads, ["kernel", "fermi", "kepler", "maxwell", "pascal", "volta", "ampere"])
        self.assertEqual(len(self.all(".matrix tbody tr")), 10)
        counts = {"proved": "46", "not proved": "5", "infeasible": "4", "failed": "5"}
        self.assertEqual(self.facts("dl.facts div"), counts)
        # One for each reason, with all that have it.
        reasons = [one.text for one in self.all("#problems ~ h3")]
        self.assertEqual(reasons, ["5 tunings failed", "5 tunings not proved", "4 tunings infeasible"])
        self.assertEqual(len(self.all("pre.error")), 3)
        self.assertTrue(self.all(".matrix tbody a")[0].get_attribute("href").endswith("/batch/0.html"))

    def test_a_batchs_pages_are_linked_both_ways(self):
        self.open("shipped")
        links = [one.get_attribute("href") for one in self.all(".matrix tbody a")]
        self.assertEqual([len(links), len(set(links)), len(self.all("#jobs tbody tr"))], [6, 6, 6])
        shown = self.all(".matrix tbody a")[0].text
        self.all(".matrix tbody a")[0].click()
        self.assertLess(dict(part.split("=") for part in shown.split()).items(), self.facts("#optimum ~ dl div").items())
        self.all("header p a")[0].click()
        self.assertTrue(self.browser.current_url.endswith("/shipped/index.html"))
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_a_fleets_page_has_a_heat_map(self):
        for name, columns in [("fleet", 10), ("variants", 2)]:
            for scheme in ["light", "dark"]:
                with self.subTest(name, scheme=scheme):
                    self.open(name, scheme=scheme)
                    self.assertEqual(len(self.all(".heat thead th")), 1 + columns)
                    names = [one.text for one in self.all(".heat tbody th")]
                    self.assertEqual((len(names), names[:2]), (6, ["a100 size=512", "a100 size=1024"]))
                    cells = self.all(".heat tbody td")
                    self.assertEqual(len(cells), 6 * columns)
                    # Equal slowdowns are shaded alike, and the greatest is not shaded as the least.
                    shaded = {}
                    for cell in cells:
                        shaded.setdefault(float(cell.text), set()).add(cell.value_of_css_property("background-color"))
                    self.assertTrue(all(len(grounds) == 1 for grounds in shaded.values()), shaded)
                    self.assertNotEqual(shaded[min(shaded)], shaded[max(shaded)])
                    worst = float(self.facts("#answer ~ dl div")["worst slowdown"])
                    shown = [float(text) for text in self.column("#costs", 5)]
                    self.assertEqual((len(shown), max(shown)), (6, worst))

    def test_a_fleets_tables_are_sorted_and_filtered_and_its_links_lead_to_sections(self):
        self.open("fleet")
        links = [one.get_attribute("href").split("#")[1] for one in self.all("nav a")]
        self.assertEqual(links, ["answer", "heat", "scenarios", "proof"])
        self.assertTrue(all(len(self.all(f"#{link}")) == 1 for link in links))
        shown = self.column("#costs", 5)
        self.all("#costs thead button")[5].click()
        self.assertEqual(self.column("#costs", 5), sorted(shown))
        self.all("#words")[0].send_keys("h100 1024")
        self.assertEqual(self.all(".filter output")[0].text, "1 of 6 rows")

    def test_without_scripts_the_page_says_the_same(self):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            self.open("tuning")
            self.assertEqual(len(self.all("#space tbody tr")), 216)
            self.assertEqual(self.all("#space thead button"), [])
            self.assertFalse(self.all("#words")[0].is_displayed())
            self.assertFalse(any(one.is_displayed() for one in self.all("button[data-copies]")))
            self.assertTrue(self.all("#copy-flags")[0].text.startswith("-DWG="))
            self.all("details summary")[0].click()
            self.assertTrue(self.all("#copy-header")[0].text.startswith("/*"))
        finally:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


unittest.main(argv=["check.py"])

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings as a page, for html=FILE: the lines of json=, how each run ended, and the lines of the sources around each place, as
 * data of a page that shows them. It needs nothing but itself. Processes may share the file.
 */
#define _GNU_SOURCE
#include "finding.h"

#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 5,     /* lines before and after a place */
    LONGEST = 1024, /* bytes of a line that is shown */
};

static const char page_start[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>simt: findings</title>\n<style>\n"
    "body{font:15px/1.45 sans-serif;max-width:72em;margin:1.5em auto;padding:0 1em;color:#1b1f24;background:#fff}\n"
    "code,pre,.at{font-family:monospace;font-size:13px}h1{font-size:1.4em}h2{font-size:1.1em;margin:0}\n"
    "table{border-collapse:collapse}td,th{border:1px solid #d0d7de;padding:.2em .7em;text-align:left}\n"
    "section{border:1px solid #d0d7de;border-left:5px solid #c0392b;border-radius:4px;margin:1em 0;padding:.8em 1em}\n"
    "section.known{border-left-color:#8c959f}.places{display:flex;flex-wrap:wrap;gap:1em}.places div{flex:1 1 "
    "30em;min-width:0}\n"
    "pre{margin:.3em 0;padding:.5em 0;background:#f6f8fa;overflow:auto}pre span{display:block;padding:0 .6em}\n"
    "pre .hit{background:#ffd8d3}.ok{color:#1a7f37}.bad{color:#c0392b;font-weight:bold}details{margin-top:.6em}\n"
    "</style>\n<script>\n"
    "document.addEventListener('DOMContentLoaded',function(){\n"
    "var found=new Map(),sources=[],runs=[],out=document.getElementById('out');\n"
    "document.getElementById('data').textContent.split('\\n').forEach(function(line){\n"
    " if(!line)return;\n"
    " var r=JSON.parse(line);\n"
    " if(r.run)runs.push(r);else if(r.source)sources.push(r);else{\n"
    "  var f=found.get(r.fingerprint);if(!f)found.set(r.fingerprint,f={first:r,seeds:new Set(),runs:new "
    "Set(),isNew:false});\n"
    "  f.seeds.add(r.seed);f.runs.add(r.program+' '+r.seed);if(!r.known)f.isNew=true;}});\n"
    "function add(to,name,text,kind){var e=document.createElement(name);if(text!==undefined)e.textContent=text;\n"
    " if(kind)e.className=kind;to.appendChild(e);return e;}\n"
    "function thread(b,t){return 'block ('+b+') thread ('+t+')';}\n"
    "function place(to,title,p){\n"
    " if(!p||!p.file)return;\n"
    " var box=add(to,'div');add(box,'strong',title);add(box,'div',p.file+':'+p.line,'at');\n"
    " var s=sources.find(function(s){return s.source===p.file&&s.first<=p.line&&p.line<s.first+s.lines.length;});\n"
    " if(!s)return;\n"
    " var pre=add(box,'pre');s.lines.forEach(function(text,i){\n"
    "  add(pre,'span',String(s.first+i).padStart(5)+'  '+text,s.first+i===p.line?'hit':'');});}\n"
    "var list=Array.from(found.values()),fresh=list.filter(function(f){return f.isNew;});\n"
    "add(out,'h1',list.length?list.length+(list.length===1?' finding':' findings')+', '+fresh.length+' new':'No "
    "findings');\n"
    "var table=add(out,'table'),head=add(table,'tr');\n"
    "['program','seed','ended with','findings'].forEach(function(t){add(head,'th',t);});\n"
    "runs.forEach(function(r){var row=add(table,'tr');add(row,'td',r.run);add(row,'td',r.seed);\n"
    " add(row,'td',r.status,r.status?'bad':'ok');var cell=add(row,'td');\n"
    " list.forEach(function(f,i){if(!f.runs.has(r.run+' '+r.seed))return;\n"
    "  var a=add(cell,'a',f.first.kind+' ');a.href='#f'+i;});});\n"
    "list.forEach(function(f,i){var r=f.first,s=add(out,'section',undefined,f.isNew?'':'known');s.id='f'+i;\n"
    " add(s,'h2',r.kind+(r.kernel?' in kernel '+r.kernel:''));\n"
    " add(s,'p',r.message);if(!f.isNew)add(s,'p','Known: '+r.known.reason);\n"
    " var places=add(s,'div',undefined,'places');\n"
    " place(places,r.thread?thread(r.block,r.thread):'here',r);\n"
    " if(r.other)place(places,thread(r.other.block,r.other.thread),r.other);\n"
    " if(r.allocation)place(places,'allocated here: '+r.allocation.bytes+' bytes',r.allocation);\n"
    " if(r.launch)place(places,'launch '+r.launch.number,r.launch);\n"
    " if(r.switches){var d=add(s,'details');add(d,'summary','the last switches under seed '+r.seed);\n"
    "  var l=add(d,'ol');r.switches.forEach(function(t){add(l,'li',thread(t[0],t[1]));});}\n"
    " var p=add(s,'p','Seeds '+Array.from(f.seeds).sort(function(a,b){return a-b;}).join(' ')+'. Again: ');\n"
    " add(p,'code','SIMT_OPTIONS=seed='+r.seed+(r.search?',search='+r.search:''));add(p,'span','. Fingerprint: "
    "');add(p,'code',r.fingerprint);});\n"
    "});\n</script></head><body><div id=\"out\"></div>\n<noscript>This page needs scripts to show its "
    "data.</noscript>\n"
    "<script id=\"data\" type=\"application/x-ndjson\">\n";

/* The lines around the place, if its file can be read. */
static void put_source(FILE *page, const location *l)
{
    const char *colon = strrchr(l->where, ':');
    char path[SIMT_WHERE], text[LONGEST];
    int line = colon ? atoi(colon + 1) : 0, now = 0;
    FILE *source;

    if (line < 1)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(colon - l->where), l->where);
    source = fopen(path, "re");
    if (!source)
        return;
    fputs("{\"source\":\"", page);
    simt_put_json_text(page, path, strlen(path));
    fprintf(page, "\",\"first\":%d,\"lines\":[", line > AROUND ? line - AROUND : 1);
    for (bool begins = true, any = false; now < line + AROUND && fgets(text, sizeof text, source);) {
        size_t length = strcspn(text, "\n");
        bool ends = text[length] == '\n';

        now += begins;
        if (begins && now >= line - AROUND) {
            fputs(any ? ",\"" : "\"", page);
            simt_put_json_text(page, text, length);
            fputc('"', page);
            any = true;
        }
        begins = ends;
    }
    fputs("]}\n", page);
    fclose(source);
}

void simt_write_html(const finding *f)
{
    simt_whole page;

    if (!*simt_options.html ||
        !simt_whole_open(&page, simt_options.html, "a page", simt_page_end, f ? NULL : simt_page_end))
        return;
    if (!page.last)
        fputs(page_start, page.file);
    if (f) {
        simt_put_finding(page.file, f);
        put_source(page.file, &f->here);
        put_source(page.file, &f->other);
        put_source(page.file, &f->made);
        put_source(page.file, &f->launched);
    }
    simt_whole_close(&page);
}

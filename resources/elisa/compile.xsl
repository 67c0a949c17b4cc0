<?xml version="1.0" encoding="UTF-8"?>
<!-- Turns a file of rules (see rules.xml) into a stylesheet that labels the nodes of a page.

     The page is an XML tree with element names in capitals.  Beside its own attributes an element
     has "row"; "letters", "words" and "links" at or below it; "linked" and "paragraphs", letters in
     links and in P; "own", letters in no block-level element inside it, "ownlinked", those of them
     in links; and "names": id, class and role in small letters.
     The answer is a NODE each time a rule sets something on an element, with its row and what was
     set, in the order of the rules.  It is flat, so that pages of any depth can be labelled.

     RULE context="PATTERN"           for each element that matches the XSLT pattern:
       CALL name="N" select="XPATH"     $N stands for this in what follows
       CHECK
         WHENEVER test="XPATH"          where this holds,
           SET attr="A"  XPATH            set A to this value; elISAtype is the element's label
         OTHERWISE                      where no WHENEVER of this CHECK holds

     Later rules overrule earlier ones.  Besides XPath 1.0 there are lc(string): small letters;
     letters(nodes), words(nodes): how many they hold, white space not counted. -->
<xsl:stylesheet version="1.0"
                xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:out="urn:pagelet:elisa:out"
                xmlns:elisa="urn:pagelet:elisa">
  <xsl:namespace-alias stylesheet-prefix="out" result-prefix="xsl"/>
  <xsl:output method="xml" indent="no"/>

  <xsl:template match="/RULES">
    <out:stylesheet version="1.0" exclude-result-prefixes="elisa">
      <out:output method="xml" indent="no"/>
      <out:param name="_names"/>
      <out:template match="/">
        <LABELS><xsl:apply-templates select="RULE/PLACE"/></LABELS>
      </out:template>
    </out:stylesheet>
  </xsl:template>

  <!-- Each pattern of a context has a PLACE: the expression that finds all elements it matches,
       and their name where they have but one; $_names holds the names there are on the page. -->
  <xsl:template match="PLACE">
    <xsl:choose>
      <xsl:when test="@name">
        <out:if test="contains($_names, ' {@name} ')"><xsl:call-template name="place"/></out:if>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="place"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="place">
    <out:for-each select="{@select}">
      <xsl:apply-templates select="../CALL | ../CHECK"/>
    </out:for-each>
  </xsl:template>

  <xsl:template match="CALL">
    <out:variable name="{@name}">
      <xsl:attribute name="select">
        <xsl:call-template name="expression"><xsl:with-param name="text" select="@select"/></xsl:call-template>
      </xsl:attribute>
    </out:variable>
  </xsl:template>

  <xsl:template match="CHECK"><xsl:apply-templates/></xsl:template>

  <xsl:template match="WHENEVER">
    <out:if>
      <xsl:attribute name="test">
        <xsl:call-template name="expression"><xsl:with-param name="text" select="@test"/></xsl:call-template>
      </xsl:attribute>
      <NODE row="{{@row}}"><xsl:apply-templates/></NODE>
    </out:if>
  </xsl:template>

  <xsl:template match="OTHERWISE">
    <out:if>
      <xsl:attribute name="test">
        <xsl:text>not(</xsl:text>
        <xsl:for-each select="../WHENEVER">
          <xsl:if test="position() &gt; 1"> or </xsl:if>
          <xsl:text>(</xsl:text>
          <xsl:call-template name="expression"><xsl:with-param name="text" select="@test"/></xsl:call-template>
          <xsl:text>)</xsl:text>
        </xsl:for-each>
        <xsl:text>)</xsl:text>
      </xsl:attribute>
      <NODE row="{{@row}}"><xsl:apply-templates/></NODE>
    </out:if>
  </xsl:template>

  <xsl:template match="SET">
    <out:attribute name="{@attr}">
      <out:value-of>
        <xsl:attribute name="select">
          <xsl:call-template name="expression"><xsl:with-param name="text" select="."/></xsl:call-template>
        </xsl:attribute>
      </out:value-of>
    </out:attribute>
  </xsl:template>

  <xsl:template match="text()"/>

  <!-- Functions of our own need a prefix in XSLT; rules are written without. -->
  <xsl:template name="expression">
    <xsl:param name="text"/>
    <xsl:call-template name="prefixed">
      <xsl:with-param name="name" select="'words('"/>
      <xsl:with-param name="text">
        <xsl:call-template name="prefixed">
          <xsl:with-param name="name" select="'letters('"/>
          <xsl:with-param name="text">
            <xsl:call-template name="prefixed">
              <xsl:with-param name="name" select="'lc('"/>
              <xsl:with-param name="text" select="normalize-space($text)"/>
            </xsl:call-template>
          </xsl:with-param>
        </xsl:call-template>
      </xsl:with-param>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="prefixed">
    <xsl:param name="text"/>
    <xsl:param name="name"/>
    <xsl:choose>
      <xsl:when test="contains($text, $name)">
        <xsl:value-of select="concat(substring-before($text, $name), 'elisa:', $name)"/>
        <xsl:call-template name="prefixed">
          <xsl:with-param name="text" select="substring-after($text, $name)"/>
          <xsl:with-param name="name" select="$name"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
